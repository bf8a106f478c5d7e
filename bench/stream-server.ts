import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { SpdyConnection, type SpdyStream } from '../src/streams/index.ts';

/**
 * Sends an endless stream of bytes, as a kubelet over SPDY and as a plain WebSocket server. With a source, it relays
 * the messages of the source instead. Reports its port over the IPC channel.
 */
const { STREAM_KEY: key, STREAM_CERT: cert, STREAM_SOURCE: source } = process.env;

/** The buffer size of Go's `io.Copy`. */
const chunk = Buffer.alloc(32 * 1024, 'x');
const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

const server = https.createServer({ key, cert });
server.on('upgrade', (request, socket) => {
  socket.on('error', () => {});
  if (request.headers.upgrade === 'SPDY/3.1') serveCommand(socket);
  else {
    webSockets.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => {
      webSocket.on('error', () => {});
      if (source === undefined) sendForEver(webSocket, socket);
      else relay(webSocket, socket);
    });
  }
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));

function serveCommand(socket: Duplex): void {
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n',
  );
  const onStream = (stream: SpdyStream): void => {
    stream.reply();
    if (stream.headers.streamtype !== 'stdout') return;
    const fill = (): void => {
      while (!stream.destroyed && stream.write(chunk));
    };
    stream.on('drain', fill);
    fill();
  };
  new SpdyConnection(socket, { role: 'server', onStream });
}

function sendForEver(webSocket: WebSocket, socket: Duplex): void {
  const fill = (): void => {
    while (webSocket.readyState === webSocket.OPEN && !socket.writableNeedDrain) webSocket.send(chunk);
  };
  socket.on('drain', fill);
  fill();
}

function relay(webSocket: WebSocket, socket: Duplex): void {
  const upstream = new WebSocket(`wss://127.0.0.1:${source}/`, { ca: cert, perMessageDeflate: false });
  upstream.on('error', () => webSocket.terminate());
  webSocket.on('close', () => upstream.terminate());
  upstream.on('message', (data: Buffer, binary) => {
    webSocket.send(data, { binary });
    if (socket.writableNeedDrain) upstream.pause();
  });
  socket.on('drain', () => upstream.resume());
}
