import { EventEmitter } from 'node:events';
import { type RunningCommand, runCommand } from './run-command.ts';

export interface ContainerSpec {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

export interface LogLine {
  readonly time: Date;
  readonly stream: 'Stdout' | 'Stderr';
  readonly text: string;
}

/** A real process with a log. Emits `line`, `output` (stream, bytes) and `exit` (code). */
export class Container extends EventEmitter {
  readonly spec: ContainerSpec;
  readonly startedAt = new Date().toISOString().replace(/\.\d+/, '');
  readonly lines: LogLine[] = [];
  readonly command: RunningCommand;
  exitCode: number | undefined;

  constructor(spec: ContainerSpec) {
    super();
    this.setMaxListeners(0);
    this.spec = spec;
    const words = [...(spec.command ?? []), ...(spec.args ?? [])];
    this.command = runCommand(words.length === 0 ? ['sleep', '100000'] : words, { tty: spec.tty ?? false });
    this.#record('Stdout');
    this.#record('Stderr');
    this.command.exit.then(
      (code) => this.#end(code),
      () => this.#end(128),
    );
  }

  #end(code: number): void {
    this.exitCode = code;
    this.emit('exit', code);
  }

  #record(stream: LogLine['stream']): void {
    let rest = '';
    const source = stream === 'Stdout' ? this.command.stdout : this.command.stderr;
    source?.on('data', (bytes: Buffer) => {
      this.emit('output', stream, bytes);
      const texts = (rest + bytes).split('\n');
      rest = texts.pop()!;
      for (const text of texts) {
        const line = { time: new Date(), stream, text };
        this.lines.push(line);
        this.emit('line', line);
      }
    });
  }
}

/** The containers of the pods of a node, by `namespace/pod/container`. */
export class ContainerSet {
  readonly #containers = new Map<string, Container>();

  find(namespace: string, pod: string, container: string): Container | undefined {
    return this.#containers.get(`${namespace}/${pod}/${container}`);
  }

  hasPod(namespace: string, pod: string): boolean {
    return [...this.#containers.keys()].some((key) => key.startsWith(`${namespace}/${pod}/`));
  }

  start(namespace: string, pod: string, spec: ContainerSpec): Container {
    const container = new Container(spec);
    this.#containers.set(`${namespace}/${pod}/${spec.name}`, container);
    return container;
  }

  stopPod(namespace: string, pod: string): void {
    for (const [key, { command }] of this.#containers) {
      if (!key.startsWith(`${namespace}/${pod}/`)) continue;
      command.kill();
      this.#containers.delete(key);
    }
  }

  stop(): void {
    for (const { command } of this.#containers.values()) command.kill();
    this.#containers.clear();
  }
}
