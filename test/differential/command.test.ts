import { writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { differentialCommand } from './command.ts';
import { startQuiet } from './servers.ts';

async function kubeconfigOf(name: string, options: ServerOptions = {}): Promise<string> {
  const api = await startQuiet(options);
  onTestFinished(() => api.stop());
  await writeFile(name, api.server.kubeconfig);
  return name;
}

async function run(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const code = await differentialCommand(args, (printed) => {
    text += printed;
  });
  return { code, text };
}

const few = ['--cases', '12'];

describe('the command', () => {
  it('finds no difference between equal servers', async () => {
    const [one, other] = [await kubeconfigOf('one'), await kubeconfigOf('other')];
    const { code, text } = await run('--peer', one, '--peer', other, ...few, '--seed', '5');
    expect(text).toMatch(/^first: one\nsecond: other\n12 cases with seed 5, \d+ requests .*: no differences$/);
    expect(code).toBe(0);
  });

  it('repeats a run', async () => {
    const peers = [
      '--peer',
      await kubeconfigOf('one'),
      '--peer',
      await kubeconfigOf('other', { postCreateStatus: 201 }),
    ];
    const first = await run(...peers, ...few);
    expect(await run(...peers, ...few)).toEqual(first);
    expect(first.code).toBe(1);
  });

  it('starts a server that is like kube-apiserver when there is one peer', async () => {
    const peer = await kubeconfigOf('peer', { compatibility: 'kubernetes' });
    const { text } = await run('--peer', peer, '--cases', '3');
    expect(text).toMatch(/^first: the server of this checkout\nsecond: peer\n3 cases /);
  });

  it.each([
    { args: [] },
    { args: ['--peer'] },
    { args: ['--peer', 'a', '--cases', 'many'] },
    { args: ['--peer', 'a', '--peer', 'b', '--peer', 'c'] },
  ])('explains itself for $args', async ({ args }) => {
    const { code, text } = await run(...args);
    expect(text).toContain('Usage: npm run test:differential');
    expect(code).toBe(2);
  });

  it('says which peer cannot be read', async () => {
    expect(await run('--peer', 'absent')).toEqual({ code: 2, text: expect.stringContaining('absent') });
  });
});
