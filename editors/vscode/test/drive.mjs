// Opens VS Code's workbench in Chromium and has it run the in-host test; prints what the test says.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.PLAYWRIGHT}/`);
const { chromium } = require('playwright-core');
const origin = `127.0.0.1:${process.env.PORT}`;
const remote = (path) => `vscode-remote://${origin}${path}`;

for (let attempt = 0; ; attempt++) {
    try {
        await fetch(`http://${origin}/healthz`);
        break;
    } catch (error) {
        if (attempt > 150) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'],
});
const page = await browser.newPage();
let done;
const ended = new Promise((resolve) => { done = resolve; });
const log = [];
await page.exposeFunction('codeAutomationLog', (type, args) => log.push(`${type} ${args.join(' ')}`));
await page.exposeFunction('codeAutomationExit', (code) => done(code));
const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(process.env.EXTENSION)],
    ['extensionTestsPath', remote(`${process.env.EXTENSION}/out/test.js`)],
]);
await page.goto(`http://${origin}/?folder=${process.env.PROJECT}&payload=${encodeURIComponent(payload)}`);
const timeout = new Promise((resolve) => setTimeout(() => resolve('timeout'), 120_000));
const result = await Promise.race([ended, timeout]);
console.log(result === 0 ? 'vscode: all steps passed' : `vscode: failed (${result})`);
if (result !== 0) console.log(log.join('\n'));
if (result !== 0 && process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
await browser.close();
process.exit(result === 0 ? 0 : 1);
