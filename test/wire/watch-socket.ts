import WebSocket from 'ws';
import type { TestApi } from './api.ts';

export interface Message {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** A WebSocket for a watch. It is terminated by whoever opened it. */
export function watchSocket(api: TestApi, path: string, accept: string): WebSocket {
  const client = new WebSocket(new URL(path, api.server.url.replace('https', 'wss')), {
    ...api.tls,
    origin: api.server.url,
    headers: { accept },
  });
  client.on('error', () => {});
  return client;
}

/** The messages as they come; to be called before the first can be there. */
export function messagesOf(client: WebSocket): () => Promise<Message> {
  const waiting: Message[] = [];
  let wake = (): void => {};
  client.on('close', () => wake());
  client.on('message', (data, isBinary) => {
    waiting.push({ bytes: data as Buffer, isBinary });
    wake();
  });
  return async () => {
    while (waiting.length === 0) {
      if (client.readyState === WebSocket.CLOSED) throw new Error('closed before the next message');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return waiting.shift()!;
  };
}
