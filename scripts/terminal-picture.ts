/**
 * `npm run picture`: creates `docs/images/terminal.svg`, the picture in the README, from a real session of a server in
 * an empty directory and the newest kubectl of the tests.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchedKubectls, fetchKubectls } from './test-clients/kubectl.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs', 'images', 'terminal.svg');
const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {colour: blue}\n';
const commands: readonly { readonly line: string; readonly input?: string }[] = [
  { line: 'kubectl create namespace shop' },
  { line: 'kubectl create deployment web -n shop --image=nginx --replicas=3' },
  { line: 'kubectl get deployments,configmaps -n shop' },
  { line: 'kubectl apply --server-side -f settings.yaml', input: manifest },
  { line: 'kubectl patch deployment web -n shop -p \'{"spec":{"replicas":-1}}\'' },
  { line: 'kubectl auth can-i delete pods -n shop --as=alice' },
];

const directory = mkdtempSync(join(tmpdir(), 'keelson-picture-'));
const server = spawn(process.execPath, [join(root, 'bin', 'keelson.js'), 'serve'], {
  cwd: directory,
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const greeting = await readyText();
  const kubectl = await newestKubectl();
  const lines = [
    '$ npm start',
    ...greeting
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, 4),
    '',
  ];
  for (const { line, input } of commands) lines.push(`$ ${line}`, ...run(kubectl, line, input));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, picture(lines));
  console.log(`${lines.length} lines in ${target}`);
} finally {
  server.kill('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}

function readyText(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('Ctrl-C')) resolve(text.replaceAll(directory, '~/demo').trimEnd());
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}

async function newestKubectl(): Promise<string> {
  await fetchKubectls();
  const newest = fetchedKubectls().find((path) => path.includes('sid'));
  if (newest === undefined) throw new Error('There is no kubectl: npm test says why.');
  return newest;
}

function run(kubectl: string, line: string, input: string | undefined): string[] {
  const env = { ...process.env, KUBECONFIG: join(directory, '.keelson', 'admin.kubeconfig') };
  const command = line.replace(/^kubectl/, kubectl).replace('settings.yaml', '-');
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { env, input, encoding: 'utf8' });
  return (stdout + stderr).trimEnd().split('\n').flatMap(wrapLine);
}

/** Wraps long lines like a terminal of this width. */
function wrapLine(line: string): string[] {
  return line.match(/.{1,100}/g) ?? [''];
}

function picture(lines: readonly string[]): string {
  const height = 20;
  const top = 52;
  const rows = lines.map((line, index) => {
    const y = top + index * height;
    if (!line.startsWith('$ ')) return `  <text x="20" y="${y}">${escaped(line)}</text>`;
    return `  <text x="20" y="${y}"><tspan class="prompt">$</tspan><tspan class="command">${escaped(line.slice(1))}</tspan></text>`;
  });
  const bottom = top + lines.length * height;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 ${bottom}" width="880" height="${bottom}" role="img"
  aria-label="A terminal: Keelson starts in a fraction of a second and answers kubectl.">
  <style>
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre; }
    .prompt { fill: #56d364; }
    .command { fill: #ffffff; font-weight: 600; }
  </style>
  <rect width="880" height="${bottom}" rx="10" fill="#0d1117"/>
  <circle cx="22" cy="20" r="6" fill="#ff5f56"/>
  <circle cx="42" cy="20" r="6" fill="#ffbd2e"/>
  <circle cx="62" cy="20" r="6" fill="#27c93f"/>
${rows.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
