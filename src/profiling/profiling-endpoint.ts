import type { PathHandler } from '../http/api-route.ts';
import type { Exchange } from '../http/exchange.ts';
import { headersOf, respondText } from '../http/render.ts';
import { type ProfileKind, takeProfile } from './take-profile.ts';

const root = '/debug/pprof';
const maxSeconds = 600;

const kinds: Readonly<
  Record<ProfileKind, { readonly about: string; readonly seconds: number; readonly file: string }>
> = {
  profile: { about: 'processor time, as a .cpuprofile', seconds: 30, file: 'keelson.cpuprofile' },
  heap: { about: 'allocated memory that stays in use, as a .heapprofile', seconds: 10, file: 'keelson.heapprofile' },
};

/** Serves `/debug/pprof`. One profile is taken at a time. */
export class ProfilingEndpoint implements PathHandler {
  readonly paths = [root, ...Object.keys(kinds).map((kind) => `${root}/${kind}`)];
  #isBusy = false;

  handle(exchange: Exchange, path: string): Promise<void> | false {
    if (path === root || path === `${root}/`) {
      respondText(exchange, 200, index());
      return Promise.resolve();
    }
    const kind = path.slice(root.length + 1);
    if (!path.startsWith(`${root}/`) || !Object.hasOwn(kinds, kind)) return false;
    return this.#profile(exchange, kind as ProfileKind);
  }

  async #profile(exchange: Exchange, kind: ProfileKind): Promise<void> {
    const { seconds: fallback, file } = kinds[kind];
    const text = new URLSearchParams(exchange.query).get('seconds') ?? '';
    const seconds = text === '' ? fallback : Number(text);
    if (!(seconds > 0 && seconds <= maxSeconds)) {
      respondText(exchange, 400, `seconds must be a number above 0, up to ${maxSeconds}\n`);
      return;
    }
    if (this.#isBusy) {
      respondText(exchange, 500, 'another profile is being taken\n');
      return;
    }
    this.#isBusy = true;
    try {
      const document = await takeProfile(kind, seconds * 1000, exchange.signal);
      const headers = headersOf(exchange, 'application/json');
      headers['content-disposition'] = `attachment; filename="${file}"`;
      exchange.respond(200, headers, document);
    } catch (error) {
      // The client has disconnected.
      if (!exchange.signal.aborted) throw error;
    } finally {
      this.#isBusy = false;
    }
  }
}

function index(): string {
  const lines = Object.entries(kinds).map(
    ([kind, { about, seconds }]) => `${root}/${kind}?seconds=${seconds}  ${about}\n`,
  );
  return `Profiles for Chrome's developer tools:\n\n${lines.join('')}`;
}
