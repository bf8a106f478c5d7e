import { pathAttacks, type RawRequest } from './path-attacks.ts';
import { responsesToEach } from './raw-socket.ts';

// The target is sent unchanged in a request line.
const bytesOf =
  ({ method, target, token, body }: RawRequest) =>
  (isLast: boolean): string => {
    const length = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const connection = `Connection: ${isLast ? 'close' : 'keep-alive'}\r\n`;
    const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\n${connection}Authorization: Bearer ${token}\r\n${length}\r\n`;
    return head + (body ?? '');
  };
pathAttacks((api, requests) => responsesToEach(api, requests.map(bytesOf)));
