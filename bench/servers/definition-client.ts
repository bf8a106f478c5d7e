import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { definitionsPath } from '../fixtures/sample-definitions.ts';
import { jsonType, type Target } from '../load/load-plan.ts';

/** Creates and changes definitions, and learns from a watch when their types are served. */
export class DefinitionClient {
  readonly #session: ClientHttp2Session;
  readonly #watch: ClientHttp2Stream;
  /** Those that are not established yet, by name. */
  readonly #waiting = new Map<string, () => void>();

  constructor({ host, port, ...trust }: Target) {
    this.#session = connect(`https://${host}:${port}`, trust);
    // The request in flight fails too, and its error is handled there.
    this.#session.on('error', () => {});
    this.#watch = this.#session.request({ ':path': `${definitionsPath}?watch=1`, accept: jsonType });
    this.#watch.on('error', () => {});
    let text = '';
    this.#watch.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop()!;
      for (const line of lines) this.#heard(line);
    });
  }

  #heard(line: string): void {
    if (!line.includes('"reason":"InitialNamesAccepted"')) return;
    const name = /"metadata":\{"name":"([^"]+)"/.exec(line)?.[1] ?? '';
    this.#waiting.get(name)?.();
    this.#waiting.delete(name);
  }

  /** Returns the milliseconds from sending the definition to the event that reports it established. */
  async establish(name: string, body: string): Promise<number> {
    const established = new Promise<void>((resolve) => this.#waiting.set(name, resolve));
    const startedAt = performance.now();
    await Promise.all([this.send('POST', definitionsPath, { body }), established]);
    return performance.now() - startedAt;
  }

  send(
    method: string,
    path: string,
    { body = '', contentType = jsonType }: { body?: string; contentType?: string } = {},
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { ':method': method, ':path': path, accept: jsonType };
      const stream = this.#session.request(body === '' ? headers : { ...headers, 'content-type': contentType });
      let status = 0;
      let answer = '';
      stream.on('response', (received) => {
        status = received[':status'] ?? 0;
      });
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
      });
      stream.on('error', reject);
      stream.on('end', () => {
        if (status < 300) resolve(answer);
        else reject(new Error(`${method} ${path}: the server answered ${status}: ${answer.slice(0, 500)}`));
      });
      if (body !== '') stream.end(body);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}
