// Where the server is.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';

const run = promisify(execFile);

/** The server to start, or why there is none. */
export type Server = { path: string; version: string } | { problem: string };

/** The setting, else NEURO_SERVER, else the extension's own, else the one on the PATH. */
export async function findServer(context: vscode.ExtensionContext): Promise<Server> {
    const name = process.platform === 'win32' ? 'neurc.exe' : 'neurc';
    const bundled = join(context.extensionPath, 'server', name);
    const candidates = [
        vscode.workspace.getConfiguration('neuro').get<string>('server.path'),
        process.env['NEURO_SERVER'],
        existsSync(bundled) ? bundled : undefined,
        name,
    ];
    const path = candidates.find((candidate) => candidate) ?? name;
    try {
        const { stdout } = await run(path, ['--version']);
        return { path, version: stdout.trim() };
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { problem: `the language server \`${path}\` does not start: ${reason}` };
    }
}
