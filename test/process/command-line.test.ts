import { chmod, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../src/cli/flags.ts';
import { serve } from '../../src/cli/serve.ts';
import { serveFlags } from '../../src/cli/serve-flags.ts';
import { startServer } from '../../src/index.ts';
import { type Outcome, runHere, run as runProcess } from '../existing-data/run-command.ts';
import { TestApi } from '../wire/api.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const run = (...args: string[]) => new ServeProcess(args);
/** Expects an error message without a stack trace. */
function expectRefused({ code, stdout, stderr }: Outcome, expected: number, message: string): void {
  expect({ code, stdout }, stderr).toEqual({ code: expected, stdout: '' });
  expect(stderr).toMatch(/^keelson: /);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
}
const local = ['--bind-address=127.0.0.1', '--secure-port=0'];

describe('what is printed when the server is ready', () => {
  it('is one line of JSON, and a second server fails because the data directory is in use', async () => {
    const dataDir = await temporaryDirectory();
    const server = run('serve', ...local, `--data-dir=${dataDir}`, '--controllers=', '--output=json');
    const ready = await server.ready();
    expect(ready).toEqual({
      version: expect.stringMatching(/^[0-9]+\.[0-9]+\.[0-9]+/),
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:[0-9]+$/),
      kubeconfig: `${dataDir}/admin.kubeconfig`,
      dataDir,
      console: expect.stringMatching(/^https:\/\/127\.0\.0\.1:[0-9]+\/console\/#token=/),
      startupMs: expect.any(Number),
    });
    expect(ready.startupMs).toBeGreaterThan(0);

    const second = run('serve', ...local, `--data-dir=${dataDir}`, '--output=json');
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(dataDir);
    expect(second.stderr).toMatch(/^keelson: .*in use/);
    expect(second.stderr).not.toContain('    at ');
    expect((await (await server.api()).get('/readyz')).text).toBe('ok');
    server.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  it('is text for people by default', async () => {
    const dataDir = await temporaryDirectory();
    const server = run('serve', ...local, '--data-dir', dataDir, '--controllers=');
    await server.printed('Ctrl-C');
    expect(server.stdout).toMatch(/https:\/\/127\.0\.0\.1:[0-9]+\n/);
    expect(server.stdout).toContain(`${dataDir}\n`);
    expect(server.stdout).toContain(`${dataDir}/admin.kubeconfig\n`);
    expect(server.stdout).toMatch(/kubectl --kubeconfig \S*admin\.kubeconfig get namespaces/);
    server.kill('SIGINT');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a wrong command line', () => {
  it.each([
    [['serve', '--gadget=1'], 'unknown flag: --gadget'],
    [['sail'], 'unknown command: sail'],
  ])('is refused with exit code 2: %j', async (args, message) => {
    expectRefused(await runHere(...args), 2, message);
  });

  it('is refused with exit code 2 when there are certificates already', async () => {
    const args = ['serve', '--storage=memory', `--data-dir=${await temporaryDirectory()}`, '--request-timeout=0s'];
    expectRefused(await runProcess(...args), 2, 'the request timeout must be positive');
  });

  it.each([
    ['--secure-port=high', 'invalid value "high" for flag --secure-port: must be an integer between 0 and 65535'],
    ['--secure-port=65536', 'invalid value "65536" for flag --secure-port: must be an integer between 0 and 65535'],
    ['--storage=paper', 'invalid value "paper" for flag --storage: must be one of embedded, memory'],
    ['--compaction-retention=5', 'invalid value "5" for flag --compaction-retention: must be a duration'],
    ['now', "Unexpected argument 'now'"],
    ['--feature-gates=Gadget=true', 'unrecognized feature gate: Gadget'],
    ['--feature-gates=WatchList=false', 'cannot set feature gate WatchList to false, feature is locked to true'],
    [
      '--runtime-config=gadgets/v1=true',
      'unknown or unsupported group version in the runtime configuration: gadgets/v1',
    ],
    ['--tls-cert-file=x.crt', 'a serving certificate and its private key must be given together'],
    ['--controllers=*,-nonsense', '"nonsense" is not in the list of known controllers'],
  ])('is a usage error of the server: %s', async (arg, message) => {
    // Something may listen on the usual port, and some values are checked when the server listens.
    const refused = serve(['--storage=memory', `--data-dir=${await temporaryDirectory()}`, '--secure-port=0', arg]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });
});

describe('a start fails', () => {
  it('when the port is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const dataDir = await temporaryDirectory();
    const refused = await runHere(
      'serve',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--data-dir=${dataDir}`,
    );
    expectRefused(refused, 1, `keelson: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
  });

  it('when others can write or read its files, and names the command that repairs it', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const first = await TestApi.start({ storage: 'embedded', dataDir });
    await first.stop();
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const wrong = [
      { path: '.', mode: 0o777, mend: 'chmod go-w' },
      { path: 'admin.kubeconfig', mode: 0o644, mend: 'chmod 600' },
      { path: 'pki/ca.key', mode: 0o644, mend: 'chmod 600' },
      { path: 'store/storage.sqlite', mode: 0o644, mend: 'chmod 600' },
    ];
    for (const { path, mode, mend } of wrong) {
      const file = join(dataDir, path);
      const former = (await stat(file)).mode;
      await chmod(file, mode);
      await expect(startServer({ storage: 'embedded', dataDir }), path).rejects.toThrow(`${mend} ${file}`);
      if (path === '.') {
        expectRefused(await runProcess('serve', ...local, `--data-dir=${dataDir}`), 1, `${mend} ${file}\n`);
      }
      await chmod(file, former);
    }
  });

  it('when a file does not exist', async () => {
    const args = [`--data-dir=${await temporaryDirectory()}`, '--client-ca-file=/nowhere/ca.crt'];
    expectRefused(await runProcess('serve', '--secure-port=0', ...args), 2, 'client-ca-file: ENOENT');
  });

  it('when the address belongs to another machine', async () => {
    const refused = startServer({ storage: 'memory', bindAddress: '203.0.113.7' });
    await expect(refused).rejects.toThrow('EADDRNOTAVAIL');
  });
});

it.each([[['help']], [['serve', '--help']], [[]]])('the help names every flag: %j', async (args) => {
  const { code, stdout } = await (args.length === 0 ? runProcess : runHere)(...args);
  expect(code).toBe(0);
  for (const { name } of Object.values(serveFlags)) expect(stdout).toContain(`  --${name}=`);
});
