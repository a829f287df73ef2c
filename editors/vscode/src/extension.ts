// The extension: finds and starts the server, and shows what its run actions and derivative views give.
// The lenses' commands (`neuro.run`, `neuro.gradient`, ..) are the server's own; languageclient registers them.

import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';

import { DerivativeViews } from './derivative';
import { Gradients } from './gradients';
import { findServer } from './server';

/** What a run gave, as `neuro/runFinished` tells it. */
export interface RunFinished {
    run: number;
    status: number;
    message?: string;
    function?: string;
    value?: number | string;
    gradients?: Record<string, { shape: number[]; data: (number | string)[] }>;
}

/** What tests look at. */
export interface Api {
    client(): LanguageClient | undefined;
    /** Everything that programs printed. */
    printed(): string;
    /** The last run that ended. */
    lastRun(): RunFinished | undefined;
}

let client: LanguageClient | undefined;
let printed = '';
let lastRun: RunFinished | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
    const log = vscode.window.createOutputChannel('Neuro Language Server');
    const output = vscode.window.createOutputChannel('Neuro');
    const status = vscode.languages.createLanguageStatusItem('neuro', { language: 'neuro' });
    status.name = 'Neuro';
    status.command = { command: 'neuro.showOutput', title: 'Show output' };
    const gradients = new Gradients();
    const derivatives = new DerivativeViews(() => client);
    context.subscriptions.push(log, output, status, gradients, derivatives);

    const start = async (): Promise<void> => {
        status.busy = true;
        const server = await findServer(context);
        if ('problem' in server) {
            status.busy = false;
            status.severity = vscode.LanguageStatusSeverity.Error;
            status.text = 'neurc not found';
            void offerSettings(server.problem);
            return;
        }
        client = createClient(server.path, log, output, gradients);
        client.onNotification('neuro/runOutput', (params: { text: string }) => {
            printed += params.text;
            output.append(params.text);
        });
        client.onNotification('neuro/runFinished', (params: RunFinished) => {
            lastRun = params;
            showFinished(params, output, gradients);
        });
        client.onNotification('neuro/serverStatus', () => undefined);
        await client.start();
        status.busy = false;
        status.severity = vscode.LanguageStatusSeverity.Information;
        status.text = server.version;
    };

    context.subscriptions.push(
        vscode.commands.registerCommand('neuro.restartServer', async () => {
            await client?.dispose();
            await start();
        }),
        vscode.commands.registerCommand('neuro.showOutput', () => output.show(true)),
        vscode.commands.registerCommand('neuro.showDerivative', () => derivatives.showAtCursor()),
        vscode.commands.registerCommand('neuro.runFile', async () => {
            const uri = vscode.window.activeTextEditor?.document.uri.toString();
            await vscode.commands.executeCommand('neuro.run', { uri });
        }),
    );
    await start();
    return { client: () => client, printed: () => printed, lastRun: () => lastRun };
}

export async function deactivate(): Promise<void> {
    await client?.stop();
}

function createClient(
    path: string,
    log: vscode.OutputChannel,
    output: vscode.OutputChannel,
    gradients: Gradients,
): LanguageClient {
    const server: ServerOptions = { command: path, args: ['lsp'] };
    const settings = vscode.workspace.getConfiguration('neuro');
    const options: LanguageClientOptions = {
        documentSelector: [
            { scheme: 'file', language: 'neuro' },
            { scheme: 'untitled', language: 'neuro' },
        ],
        outputChannel: log,
        initializationOptions: {
            showsRuns: true,
            trusted: vscode.workspace.isTrusted,
            worker: settings.get('worker'),
        },
        middleware: {
            executeCommand: async (command, args, next) => {
                const argument = args[0] as { uri?: string; function?: string } | undefined;
                if (command === 'neuro.run') {
                    output.clear();
                    output.show(true);
                }
                if (command === 'neuro.derivative') {
                    return DerivativeViews.open(argument?.uri, argument?.function);
                }
                if (command === 'neuro.gradient' && argument?.uri && argument.function) {
                    gradients.expect(argument.uri, argument.function);
                }
                return next(command, args) as unknown;
            },
        },
    };
    return new LanguageClient('neuro', 'Neuro Language Server', server, options);
}

function showFinished(run: RunFinished, output: vscode.OutputChannel, gradients: Gradients): void {
    if (run.gradients) {
        gradients.show(run);
    } else if (run.message) {
        output.appendLine(run.message);
        void vscode.window.showErrorMessage(`Neuro: ${run.message}`);
    } else {
        output.appendLine(`[status ${run.status}]`);
    }
}

async function offerSettings(problem: string): Promise<void> {
    const open = 'Open settings';
    if ((await vscode.window.showErrorMessage(`Neuro: ${problem}`, open)) === open) {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'neuro.server.path');
    }
}
