import type { TLSSocket } from 'node:tls';

export interface Http1Response {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Reads the responses of one connection in the order in which they arrive, also interim ones such as 100. */
export class Http1Client {
  readonly socket: TLSSocket;
  readonly #responses: AsyncGenerator<Http1Response, undefined>;

  /** A slow client reads one piece per turn of the event loop. */
  constructor(socket: TLSSocket, { isSlow = false } = {}) {
    this.socket = socket;
    this.#responses = responsesIn(piecesOf(socket, isSlow));
  }

  /** The next response. Rejects when the connection ends before. */
  async next(): Promise<Http1Response> {
    const { value } = await this.#responses.next();
    if (value === undefined) throw new Error('the connection ended without a response');
    return value;
  }

  /** Writes the pieces, each when the one before has been passed to the system. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) await new Promise((resolve) => this.socket.write(piece, resolve));
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function* piecesOf(socket: TLSSocket, isSlow: boolean): AsyncGenerator<Buffer, undefined> {
  for await (const piece of socket) {
    yield piece as Buffer;
    if (isSlow) await nextTurn();
  }
}

async function* responsesIn(pieces: AsyncGenerator<Buffer, undefined>): AsyncGenerator<Http1Response, undefined> {
  let unread: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value } = await pieces.next();
    if (value !== undefined) unread = unread.length === 0 ? value : Buffer.concat([unread, value]);
    return value !== undefined;
  };
  const through = async (end: Buffer | string): Promise<string | undefined> => {
    let at = unread.indexOf(end);
    while (at === -1) {
      if (!(await more())) return undefined;
      at = unread.indexOf(end);
    }
    const text = unread.toString('latin1', 0, at);
    unread = unread.subarray(at + end.length);
    return text;
  };
  const exactly = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    let left = length;
    for (;;) {
      parts.push(unread.subarray(0, left));
      left -= parts.at(-1)!.length;
      unread = unread.subarray(parts.at(-1)!.length);
      if (left === 0) return parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
      if (!(await more())) throw new Error('the connection ended in the middle of a response');
    }
  };

  for (;;) {
    const head = await through(headEnd);
    if (head === undefined) return undefined;
    const [statusLine, ...lines] = head.split('\r\n');
    const headers = new Map(lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: */, '')]));
    const status = Number(statusLine!.split(' ')[1]);
    let body: Buffer = Buffer.alloc(0);
    if (headers.get('transfer-encoding') === 'chunked') {
      const chunks: Buffer[] = [];
      for (;;) {
        const size = Number.parseInt((await through('\r\n')) ?? '', 16);
        chunks.push((await exactly(size + 2)).subarray(0, size));
        if (size === 0) break;
      }
      body = Buffer.concat(chunks);
    } else if (status >= 200) {
      body = await exactly(Number(headers.get('content-length')));
    }
    yield { status, headers, body };
  }
}
