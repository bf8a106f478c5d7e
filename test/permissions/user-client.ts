import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { TestApi } from '../wire/api.ts';
import type { Impersonation } from './naive-impersonation.ts';
import type { TestUser } from './permissions-server.ts';

export interface UserRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly type?: string | undefined;
  readonly impersonation?: Impersonation | undefined;
}

export interface UserResponse {
  readonly status: number;
  readonly text: string;
  /** True for 403 with the reason Forbidden. All other responses mean that the request was authorized. */
  readonly denied: boolean;
}

/** Sends requests of users, over one connection per certificate and one for all users without a certificate. */
export class UserClient {
  readonly #api: TestApi;
  readonly #sessions = new Map<string, ClientHttp2Session>();

  constructor(api: TestApi) {
    this.#api = api;
  }

  async send(
    user: TestUser,
    { method, path, body, type = 'application/json', impersonation }: UserRequest,
  ): Promise<UserResponse> {
    const headers = {
      ':method': method,
      ':path': path,
      ...(user.token !== undefined && { authorization: `Bearer ${user.token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...(impersonation !== undefined && {
        'impersonate-user': impersonation.user,
        'impersonate-group': [...impersonation.groups],
      }),
    };
    const stream = this.#session(user).request(headers, { endStream: body === undefined });
    const responded = once(stream, 'response');
    if (body !== undefined) stream.end(JSON.stringify(body));
    const [head] = await responded;
    const status: number = head[':status'];
    if (status === 200 && method === 'GET') {
      // A watch would never end, and the other bodies are not needed.
      stream.close();
      return { status, text: '', denied: false };
    }
    const text = Buffer.concat(await stream.toArray()).toString();
    return { status, text, denied: status === 403 && (method === 'HEAD' || JSON.parse(text).reason === 'Forbidden') };
  }

  close(): void {
    for (const session of this.#sessions.values()) session.destroy();
  }

  #session({ certificate }: TestUser): ClientHttp2Session {
    const key = certificate?.cert ?? '';
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = connect(this.#api.server.url, { ca: this.#api.tls.ca, ...certificate });
      session.on('error', () => {});
      this.#sessions.set(key, session);
    }
    return session;
  }
}
