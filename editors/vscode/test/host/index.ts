// Runs inside the extension host: what a user sees, asked through VS Code's own commands.

import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { Api } from '../../src/extension';

const PROGRAM = `@grad
func spread(w: &mut Tensor<f64, [3]>, centre: f64) -> Tensor<f64, []> {
    val shifted = w - centre
    val squares = &shifted * &shifted
    Tensor::scalar(squares.sum())
}

func main() -> i32 {
    println("hello from the worker")
    3
}
`;

async function eventually<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    for (const start = Date.now(); Date.now() - start < 20_000; await new Promise((resolve) => setTimeout(resolve, 50))) {
        const found = await look();
        if (found) {
            return found;
        }
    }
    throw new Error(`never happened: ${what}`);
}

async function hoverText(uri: vscode.Uri, line: number, column: number): Promise<string> {
    const at = new vscode.Position(line, column);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
    const contents = hovers.flatMap((hover) => hover.contents as vscode.MarkdownString[]);
    return contents.map((content) => content.value).join('\n');
}

export async function run(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder, 'a folder is open');
    const uri = vscode.Uri.joinPath(folder.uri, 'spread.nr');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(PROGRAM));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    assert.equal(document.languageId, 'neuro');

    const extension = vscode.extensions.getExtension<Api>('neurc.neuro');
    assert.ok(extension, 'the extension is installed');
    const api = await extension.activate();

    const onFunction = await eventually('hover', () => hoverText(uri, 1, 6));
    assert.match(onFunction, /loss : Tensor<f64, \[\]>/);
    assert.match(onFunction, /∂loss\/∂w : Tensor<f64, \[3\]>/);
    assert.match(onFunction, /Tensor<f64, \[3, 3\]>/);
    assert.match(await hoverText(uri, 3, 9), /squares: Tensor<f64, \[3\]>/);

    const replace = async (line: number, text: string): Promise<void> => {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(uri, document.lineAt(line).range, text);
        assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await replace(4, '    Tensor::scalar(squares.smu())');
    const [mistake] = await eventually('a diagnostic', () => {
        const diagnostics = vscode.languages.getDiagnostics(uri);
        return diagnostics.length > 0 && diagnostics;
    });
    assert.deepEqual(mistake?.range, new vscode.Range(4, 27, 4, 30));
    await replace(4, '    Tensor::scalar(squares.sum())');
    await eventually('no diagnostic', () => vscode.languages.getDiagnostics(uri).length === 0);

    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10);
    const titles = lenses.map((lens) => lens.command?.title);
    assert.deepEqual(titles.sort(), ['derivative IR', '▶ gradient', '▶ run'].sort());

    const press = async (title: string): Promise<void> => {
        const command = lenses.find((lens) => lens.command?.title === title)?.command;
        assert.ok(command);
        await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    };
    await press('▶ gradient');
    const gradient = await eventually('gradients', () => api.lastRun()?.gradients);
    assert.deepEqual(gradient['w']?.shape, [3]);
    assert.equal(gradient['w']?.data.length, 3);

    await press('derivative IR');
    const view = await eventually('the derivative view', () =>
        vscode.workspace.textDocuments.find((text) => text.uri.scheme === 'neuro-ir'));
    assert.match(view.getText(), /tensor<3xf64>/);

    await replace(8, '    println("hello from unsaved text")');
    await press('▶ run');
    await eventually('the program ends', () => api.lastRun()?.status === 3);
    assert.match(api.printed(), /hello from unsaved text/);
}
