import WebSocket from 'ws';
import type { TestApi } from './api.ts';

export interface Message {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** Opens a WebSocket for a watch. The caller must terminate it. */
export function watchSocket(api: TestApi, path: string, accept: string): WebSocket {
  const client = new WebSocket(new URL(path, api.server.url.replace('https', 'wss')), {
    ...api.tls,
    origin: api.server.url,
    headers: { accept },
  });
  client.on('error', () => {});
  return client;
}

/** Returns the messages as they arrive. Must be called before the first message can arrive. */
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
