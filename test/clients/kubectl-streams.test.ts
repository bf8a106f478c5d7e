import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchedKubectls } from '../../scripts/test-clients/kubectl.ts';
import { hasTerminals } from '../kubelet/run-command.ts';
import { KubectlNode } from './kubectl-node.ts';

const kubectls = fetchedKubectls();
/** Several times the capacity of the buffers and windows on the way. */
const size = 600_000;

/** Collects the text of a stream. `until` waits until the text contains the expected part. */
function collectText(stream: Readable): { text: string; until: (expected: string | RegExp) => Promise<void> } {
  let wake = (): void => {};
  let hasEnded = false;
  const state = {
    text: '',
    until: async (expected: string | RegExp): Promise<void> => {
      while (!(typeof expected === 'string' ? state.text.includes(expected) : expected.test(state.text))) {
        if (hasEnded) throw new Error(`it has ended: ${state.text}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
  stream.on('data', (bytes: Buffer) => {
    state.text += bytes;
    wake();
  });
  stream.once('close', () => {
    hasEnded = true;
    wake();
  });
  return state;
}

let node: KubectlNode;
const old = new Set<string>();
beforeAll(async () => {
  node = await KubectlNode.start();
  for (const kubectl of kubectls) {
    const { stdout } = await node.use(kubectl, ['version', '--client']);
    if (String(stdout).includes('v1.20')) old.add(kubectl);
  }
});
afterAll(() => node.stop());

describe.each(kubectls.map((kubectl, index) => [kubectl, `p${index}`] as const))('%s', (kubectl, pod) => {
  beforeAll(() => {
    const command = ['sh', '-c', 'echo started; while read line; do echo "got $line"; done; echo ended'];
    return node.run(pod, { command, stdin: true });
  });

  const use = (args: readonly string[], input?: string | Buffer) => node.use(kubectl, args, input);
  const spawn = (args: readonly string[]) => node.spawn(kubectl, args);

  it('logs', async () => {
    const { stdout } = await use(['logs', pod, '--tail=1', '--timestamps']);
    expect(String(stdout)).toMatch(/^\d{4}-\S+Z started\n$/);
    const refused = await use(['logs', pod, '--previous']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`previous terminated container "c" in pod "${pod}" not found`);
  });

  it('logs -f', async () => {
    const command = ['sh', '-c', 'echo one; read line; echo "got $line"'];
    await node.run(`${pod}-finite`, { command, stdin: true });
    const following = spawn(['logs', '-f', `${pod}-finite`]);
    const ended = once(following, 'close');
    const lines = collectText(following.stdout);
    await lines.until('one\n');
    const attached = spawn(['attach', '-i', `${pod}-finite`]);
    attached.stdin.write('two\n');
    expect((await ended)[0]).toBe(0);
    expect(lines.text).toBe('one\ngot two\n');
    attached.kill();
  });

  it('exec with input, output, errors and an exit code', async () => {
    const script = 'read line; echo "got $line"; echo problem >&2; exit 3';
    const { code, stdout, stderr } = await use(['exec', '-i', pod, '--', 'sh', '-c', script], 'this\n');
    expect({ code, stdout: String(stdout) }).toEqual({ code: 3, stdout: 'got this\n' });
    expect(stderr).toBe('problem\ncommand terminated with exit code 3\n');
    const missing = await use(['exec', pod, '--', 'nonsense']);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('error executing command in container: spawn nonsense ENOENT');
  });

  it('exec carries any bytes', async () => {
    const sent = randomBytes(size);
    const { stdout, stderr } = await use(['exec', '-i', pod, '--', 'cat'], sent);
    expect(stdout.equals(sent), stderr).toBe(true);
  });

  it.skipIf(!hasTerminals)('exec in a terminal, which may change its size', async () => {
    const terminal = node.inTerminal(kubectl, ['exec', '-it', pod, '--', 'sh']);
    onTestFinished(() => terminal.kill());
    const screen = collectText(terminal.stdout);
    await screen.until('# ');
    terminal.resize({ Width: 77, Height: 33 });
    // kubectl may miss a resize event. It then reports the size after the next one.
    let width = 77;
    const again = setInterval(() => {
      width = width === 77 ? 76 : 77;
      terminal.resize({ Width: width, Height: 33 });
    }, 500);
    onTestFinished(() => clearInterval(again));
    // The new size arrives some time after the change.
    terminal.stdin.write('until [ "$(stty size)" = "33 77" ]; do sleep 0.05; done; echo resized; tty\n');
    await screen.until(/\nresized\r?\n\/dev\/pts\/\d+/);
    terminal.stdin.write('exit 5\n');
    expect(await terminal.exit).toBe(5);
  });

  it('attach', async () => {
    const attached = spawn(['attach', '-i', pod]);
    const output = collectText(attached.stdout);
    attached.stdin.write('first\n');
    await output.until('got first\n');
    expect(attached.exitCode).toBeNull();
    attached.kill();
  });

  it('cp in both directions', async () => {
    const [there, here, back] = ['there', 'here', 'back'].map((name) => join(node.folder, name));
    const sent = randomBytes(size);
    await writeFile(here!, sent);
    const sending = await use(['cp', here!, `${pod}:${there}`]);
    expect(sending.code, sending.stderr).toBe(0);
    expect((await readFile(there!)).equals(sent)).toBe(true);
    await use(['cp', `${pod}:${there}`, back!]);
    expect((await readFile(back!)).equals(sent)).toBe(true);
  });

  it('port-forward with many connections', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    onTestFinished(() => void echo.close());
    const { port } = echo.address() as AddressInfo;
    const forwarding = spawn(['port-forward', '-v=4', `pod/${pod}`, `:${port}`]);
    onTestFinished(() => void forwarding.kill());
    const log = collectText(forwarding.stderr);
    const [line] = await once(createInterface({ input: forwarding.stdout }), 'line');
    const local = Number(/127\.0\.0\.1:(\d+)/.exec(line)![1]);
    const sent = randomBytes(size);
    const through = async (bytes: Buffer): Promise<boolean> => {
      const socket = connect({ port: local, host: '127.0.0.1' });
      socket.end(bytes);
      return (await buffer(socket)).equals(bytes);
    };
    const all = Array.from({ length: 20 }, (_, index) => through(Buffer.from(`connection ${index}`)));
    expect(await Promise.all(all)).toEqual(all.map(() => true));
    expect(await through(sent)).toBe(true);
    // Newer versions tunnel through a WebSocket and fall back to SPDY only if that fails.
    expect(log.text).not.toContain('fallback');
  });

  it.skipIf(!hasTerminals)('debug with a container of its own', async () => {
    // The old version uses a form of ephemeral containers that no longer exists.
    if (old.has(kubectl)) return;
    const args = ['debug', '-it', pod, '--image=registry.example/tools', '--container=tools', '--', 'sh'];
    const terminal = node.inTerminal(kubectl, args);
    onTestFinished(() => terminal.kill());
    const screen = collectText(terminal.stdout);
    // The prompt, and input that is typed before kubectl attaches, may be lost.
    await screen.until(/prompt|# /);
    const type = (): boolean => terminal.stdin.write('echo $((40 + 2))\n');
    type();
    const again = setInterval(type, 1000);
    onTestFinished(() => clearInterval(again));
    await screen.until(/\n42\r?\n/);
    clearInterval(again);
    terminal.stdin.write('exit\n');
    expect(await terminal.exit).toBe(0);
    const { body } = await node.api.get(`/api/v1/namespaces/default/pods/${pod}`);
    expect(body.spec.ephemeralContainers).toEqual([expect.objectContaining({ name: 'tools' })]);
  });
});

it.skipIf(kubectls.length === 0)('commands fail with an error when the kubelet is killed', async () => {
  await node.run('lost');
  const all = kubectls.map((kubectl) => {
    const running = node.spawn(kubectl, ['exec', 'lost', '--', 'sh', '-c', 'echo begun; exec sleep 1000']);
    const ended = once(running, 'close');
    return { kubectl, output: collectText(running.stdout), errors: collectText(running.stderr), ended };
  });
  await Promise.all(all.map(({ output }) => output.until('begun\n')));
  await node.kubelet.kill();
  for (const { kubectl, errors, ended } of all) {
    const [code] = await ended;
    if (old.has(kubectl)) expect(code).not.toBeNull();
    else {
      expect(code).toBe(1);
      expect(errors.text).toContain('Internal error occurred: error reading from error stream');
    }
    const refused = await node.use(kubectl, ['logs', 'lost']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`dial tcp 127.0.0.1:${node.kubelet.port}: connect: connection refused`);
  }
});
