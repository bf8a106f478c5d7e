import { type ClientHttp2Session, connect } from 'node:http2';
import type { Target } from '../load/load-plan.ts';

const window = 4 * 1024 * 1024;

export interface Page {
  /** The time from sending the request to the last byte of the response. */
  readonly ms: number;
  readonly items: number;
  /** The continue token of the next page; empty after the last page. */
  readonly continue: string;
}

/**
 * Reads the pages of a list sequentially, because each request needs the token of the previous page. Runs in the bench
 * process: pages are compared with pages, so the cost of the client is on both sides.
 */
export class PageReader {
  readonly #session: ClientHttp2Session;

  constructor({ host, port, ...trust }: Target) {
    this.#session = connect(`https://${host}:${port}`, { ...trust, settings: { initialWindowSize: window } });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(window));
    // The request in flight fails too, and its error is handled there.
    this.#session.on('error', () => {});
  }

  /** Reads all pages of a list in order. */
  async readAll(path: string, limit: number): Promise<Page[]> {
    const pages: Page[] = [];
    let token = '';
    do {
      const page = await this.#read(`${path}?limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}`);
      pages.push(page);
      token = page.continue;
    } while (token !== '');
    return pages;
  }

  close(): void {
    this.#session.destroy();
  }

  #read(path: string): Promise<Page> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const stream = this.#session.request({ ':path': path, accept: 'application/json' });
      const chunks: Buffer[] = [];
      let status = 0;
      stream.on('response', (headers) => {
        status = headers[':status'] ?? 0;
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('end', () => {
        const ms = performance.now() - startedAt;
        const body = Buffer.concat(chunks).toString();
        if (status === 200) resolve({ ms, ...contentOf(body) });
        else reject(new Error(`GET ${path}: the server answered ${status}: ${body.slice(0, 500)}`));
      });
    });
  }
}

function contentOf(body: string): Omit<Page, 'ms'> {
  const { items, metadata } = JSON.parse(body) as { items: unknown[]; metadata: { continue?: string } };
  return { items: items.length, continue: metadata.continue ?? '' };
}
