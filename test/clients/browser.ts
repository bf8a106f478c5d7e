import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import WebSocket from 'ws';
import type { DebianProgram } from '../../scripts/test-clients/debian-package.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each command has results of its own
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** A headless browser, controlled over the DevTools protocol. It accepts every certificate. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #commands = 0;
  #sessionId = '';

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  static async start({ path, env }: DebianProgram): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'keelson-browser-'));
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--ignore-certificate-errors',
      '--remote-debugging-port=0',
    ];
    const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    for await (const line of createInterface({ input: child.stderr! })) {
      log += `${line}\n`;
      const url = /^DevTools listening on (.*)$/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stderr!.resume();
      const socket = new WebSocket(url);
      await once(socket, 'open');
      const browser = new Browser(child, profile, socket);
      await browser.#attach();
      return browser;
    }
    throw new Error(`the browser has ended: ${log}`);
  }

  /** Opens a page and waits until it is loaded. */
  async open(url: string): Promise<void> {
    await this.#command('Page.navigate', { url });
    await this.evaluate(`new Promise((resolve) => {
      if (document.readyState === 'complete' && location.href !== 'about:blank') resolve();
      else addEventListener('load', () => resolve());
    })`);
  }

  /** Evaluates an expression in the page and returns its value. Promises are awaited. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the expression gives
  async evaluate(expression: string): Promise<any> {
    const { result, exceptionDetails } = await this.#command('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'an exception');
    return result.value;
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#socket.terminate();
    this.#child.kill('SIGKILL');
    await closed;
    // The other processes of the browser end a moment later and may still write to the profile.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #attach(): Promise<void> {
    const { targetInfos } = await this.#command('Target.getTargets', {});
    const { targetId } = targetInfos.find(({ type }: { type: string }) => type === 'page');
    const { sessionId } = await this.#command('Target.attachToTarget', { targetId, flatten: true });
    this.#sessionId = sessionId;
  }

  async #command(method: string, params: Record<string, unknown>): Promise<Message['result']> {
    const id = ++this.#commands;
    const replied = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    const session = this.#sessionId === '' ? {} : { sessionId: this.#sessionId };
    this.#socket.send(JSON.stringify({ id, method, params, ...session }));
    const { result, error } = await replied;
    this.#waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
