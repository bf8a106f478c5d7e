import { vi } from 'vitest';
import { ServeProcess } from '../process/serve-process.ts';

export interface Outcome {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in another process until it exits. */
export async function run(...args: string[]): Promise<Outcome> {
  const command = new ServeProcess(args);
  const { code } = await command.exited;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/**
 * Runs the command line in this process, which takes a tenth of the processor time. Only one command can run at a time.
 */
export async function runHere(...args: string[]): Promise<Outcome> {
  // The module is loaded on demand, because some tests only run other processes.
  const { runCommand } = await import('../../src/cli/commands.ts');
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    }),
  );
  const { exitCode } = process;
  try {
    await runCommand(args);
    return { code: process.exitCode, ...printed };
  } finally {
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}
