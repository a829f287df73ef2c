// The derivative as a read-only document beside its source, which follows as one types.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

const SCHEME = 'neuro-ir';

interface DerivativeResult {
    text: string;
    function: string;
}

export class DerivativeViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    private readonly open = new Set<string>();
    private readonly subscriptions: vscode.Disposable[];
    readonly onDidChange = this.changed.event;

    constructor(private readonly client: () => LanguageClient | undefined) {
        this.subscriptions = [
            vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
            vscode.workspace.onDidChangeTextDocument((event) => this.refresh(event.document.uri.toString())),
            vscode.workspace.onDidCloseTextDocument((document) => this.open.delete(document.uri.toString())),
        ];
    }

    /** Opens the view of a function of a document. */
    static async open(source?: string, name?: string): Promise<void> {
        if (!source || !name) {
            return;
        }
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `${name}.neuro-ir`, query: JSON.stringify({ source, name }) });
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    }

    /** Opens the view of the function at the cursor. */
    async showAtCursor(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (!editor) {
            return;
        }
        try {
            const result = await this.client()?.sendRequest<DerivativeResult>('neuro/derivative', {
                textDocument: { uri: editor.document.uri.toString() },
                position: editor.selection.active,
            });
            await DerivativeViews.open(editor.document.uri.toString(), result?.function);
        } catch (error) {
            void vscode.window.showWarningMessage(`Neuro: ${message(error)}`);
        }
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        this.open.add(uri.toString());
        const { source, name } = JSON.parse(uri.query) as { source: string; name: string };
        try {
            // The server's own command: the client's middleware would open a view again.
            const result = await this.client()?.sendRequest<DerivativeResult>('workspace/executeCommand', {
                command: 'neuro.derivative',
                arguments: [{ uri: source, function: name }],
            });
            return result?.text ?? '';
        } catch (error) {
            return `// ${message(error)}\n`;
        }
    }

    private refresh(source: string): void {
        for (const view of this.open) {
            const uri = vscode.Uri.parse(view);
            if ((JSON.parse(uri.query) as { source: string }).source === source) {
                this.changed.fire(uri);
            }
        }
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions, this.changed).dispose();
    }
}

function message(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
