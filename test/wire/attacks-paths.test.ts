import { pathAttacks } from './path-attacks.ts';
import { responsesTo } from './raw-socket.ts';

// As it is, in a request line.
pathAttacks((api, { method, target, token, body }) => {
  const length = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n${length}\r\n`;
  return responsesTo(api, head + (body ?? ''));
});
