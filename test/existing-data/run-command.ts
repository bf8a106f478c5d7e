import { ServeProcess } from '../process/serve-process.ts';

/** Runs the command line until it ends. */
export async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = new ServeProcess(args);
  const { code } = await command.exited;
  return { code, stdout: command.stdout, stderr: command.stderr };
}
