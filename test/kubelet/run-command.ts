import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export interface TerminalSize {
  readonly Width: number;
  readonly Height: number;
}

/** A process that stands for a process in a container. */
export interface RunningCommand {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Undefined with a terminal, which has only one output. */
  readonly stderr: Readable | undefined;
  /** Resolves when the process has exited and its output has been read. Rejects when it cannot be started. */
  readonly exit: Promise<number>;
  readonly resize: (size: TerminalSize) => void;
  readonly kill: () => void;
}

/** The program `script` of util-linux, which runs a command in a terminal. */
const script = '/usr/bin/script';

/** Whether commands can run in a terminal on this machine. Otherwise they get pipes. */
export const hasTerminals = existsSync(script);

export function runCommand(command: readonly string[], { tty }: { readonly tty: boolean }): RunningCommand {
  const inTerminal = tty && hasTerminals;
  const [program = '', ...args] = inTerminal ? [script, '-qefc', command.map(quoted).join(' '), '/dev/null'] : command;
  const child = spawn(program, args, { stdio: 'pipe' });
  // A command may exit before it has read all input.
  child.stdin.on('error', () => {});
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: tty ? undefined : child.stderr,
    exit: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 137)));
    }),
    resize: (size) => void (inTerminal && resize(child, size).catch(() => {})),
    kill: () => void child.kill('SIGKILL'),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

async function resize({ pid, exitCode }: ChildProcess, { Width, Height }: TerminalSize): Promise<void> {
  const terminal = await terminalOf(pid!);
  if (terminal === undefined || exitCode !== null) return;
  execFile('stty', ['-F', terminal, 'rows', `${Height}`, 'cols', `${Width}`], () => {});
}

/** Returns the terminal of the child of `script`, which may not have been started yet. */
async function terminalOf(pid: number): Promise<string | undefined> {
  while (existsSync(`/proc/${pid}`)) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    const terminal = child === '' || child === undefined ? '' : readlinkSync(`/proc/${child}/fd/0`);
    if (terminal.startsWith('/dev/pts/')) return terminal;
    await delay(5);
  }
  return undefined;
}
