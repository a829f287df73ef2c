// Loss and gradients behind the name of the function that they are of.

import * as vscode from 'vscode';

import type { RunFinished } from './extension';

export class Gradients implements vscode.Disposable {
    private readonly decoration = vscode.window.createTextEditorDecorationType({
        after: { margin: '0 0 0 2em', color: new vscode.ThemeColor('editorCodeLens.foreground') },
    });
    /** The document of each function whose gradient was asked for. */
    private readonly expected = new Map<string, string>();

    /** Remembers where the result of a run belongs. */
    expect(uri: string, name: string): void {
        this.expected.set(name, uri);
    }

    /** Shows a result. */
    show(run: RunFinished): void {
        const uri = run.function && this.expected.get(run.function);
        const editor = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri);
        const header = new RegExp(`\\bfunc\\s+${run.function}\\b`).exec(editor?.document.getText() ?? '');
        if (!editor || !header) {
            return;
        }
        const line = editor.document.lineAt(editor.document.positionAt(header.index).line);
        const parts = Object.entries(run.gradients ?? {}).map(([name, { data }]) => `∂/∂${name} ${tensorText(data)}`);
        const contentText = [`loss ${numberText(run.value ?? 'NaN')}`, ...parts].join('   ');
        editor.setDecorations(this.decoration, [{ range: line.range, renderOptions: { after: { contentText } } }]);
    }

    dispose(): void {
        this.decoration.dispose();
    }
}

function numberText(value: number | string): string {
    return typeof value === 'number' ? String(Number(value.toPrecision(6))) : value;
}

/** All entries of a small tensor, the norm of a large one. */
function tensorText(data: (number | string)[]): string {
    if (data.length <= 8) {
        return `[${data.map(numberText).join(', ')}]`;
    }
    const norm = Math.sqrt(data.reduce((sum: number, entry) => sum + Number(entry) ** 2, 0));
    return `|·| = ${numberText(norm)}`;
}
