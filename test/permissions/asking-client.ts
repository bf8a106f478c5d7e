import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { TestApi } from '../wire/api.ts';
import type { Disguise } from './naive-impersonation.ts';
import type { KnownPerson } from './people.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly type?: string | undefined;
  readonly disguise?: Disguise | undefined;
}

export interface Told {
  readonly status: number;
  readonly text: string;
  /** 403 and Forbidden: anything else has got through, whatever became of it. */
  readonly denied: boolean;
}

/** Asks in the name of people, over one connection for each certificate and one for everybody else. */
export class AskingClient {
  readonly #api: TestApi;
  readonly #sessions = new Map<string, ClientHttp2Session>();

  constructor(api: TestApi) {
    this.#api = api;
  }

  async ask(person: KnownPerson, { method, path, body, type = 'application/json', disguise }: Asked): Promise<Told> {
    const headers = {
      ':method': method,
      ':path': path,
      ...(person.token !== undefined && { authorization: `Bearer ${person.token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...(disguise !== undefined && { 'impersonate-user': disguise.user, 'impersonate-group': [...disguise.groups] }),
    };
    const stream = this.#session(person).request(headers, { endStream: body === undefined });
    const responded = once(stream, 'response');
    if (body !== undefined) stream.end(JSON.stringify(body));
    const [head] = await responded;
    const status: number = head[':status'];
    if (status === 200 && method === 'GET') {
      // A watch would go on for ever, and nobody looks into the others.
      stream.close();
      return { status, text: '', denied: false };
    }
    const text = Buffer.concat(await stream.toArray()).toString();
    return { status, text, denied: status === 403 && (method === 'HEAD' || JSON.parse(text).reason === 'Forbidden') };
  }

  close(): void {
    for (const session of this.#sessions.values()) session.destroy();
  }

  #session({ certificate }: KnownPerson): ClientHttp2Session {
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
