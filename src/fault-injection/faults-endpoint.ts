import type { PathHandler } from '../http/api-route.ts';
import type { Exchange } from '../http/exchange.ts';
import { headersOf } from '../http/render.ts';
import { badRequest, routeMethodNotAllowed, StatusError } from '../meta/status-error.ts';
import type { FaultRule } from './fault-rule.ts';
import type { Faults } from './faults.ts';
import { parseRule } from './parse-rule.ts';

const root = '/keelson/faults';
const bodyLimit = 1024 * 1024;

interface FaultsResponse {
  readonly code: number;
  readonly body: object;
}

type Method = (exchange: Exchange) => Promise<FaultsResponse>;

/** Serves the fault rules to administrators. */
export class FaultsEndpoint implements PathHandler {
  readonly paths = [root, `${root}/compact`, `${root}/log`];
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  handle(exchange: Exchange, path: string): Promise<void> | false {
    if (path !== root && !path.startsWith(`${root}/`)) return false;
    return this.#respond(exchange, path.slice(root.length + 1));
  }

  async #respond(exchange: Exchange, rest: string): Promise<void> {
    const methods = this.#methods(rest);
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    if (!Object.hasOwn(methods, method)) throw routeMethodNotAllowed();
    const { code, body } = await this.#run(methods[method]!, exchange);
    // The deadline may have responded meanwhile.
    if (exchange.responded) return;
    exchange.respond(code, headersOf(exchange, 'application/json'), `${JSON.stringify(body)}\n`);
  }

  async #run(method: Method, exchange: Exchange): Promise<FaultsResponse> {
    try {
      return await method(exchange);
    } catch (error) {
      if (error instanceof RangeError) throw badRequest(error.message, { cause: error });
      throw error;
    }
  }

  #methods(rest: string): Readonly<Record<string, Method>> {
    const faults = this.#faults;
    const rules = async (): Promise<FaultsResponse> => ({ code: 200, body: { rules: faults.list() } });
    if (rest === '') {
      return {
        GET: rules,
        POST: async (exchange) => ({ code: 201, body: await faults.add((await bodyOf(exchange)) as FaultRule) }),
        PUT: async (exchange) => {
          await this.#replaceAll(await bodyOf(exchange));
          return rules();
        },
        DELETE: () => {
          faults.clear();
          return rules();
        },
      };
    }
    if (rest === 'log') {
      const log = async (): Promise<FaultsResponse> => ({ code: 200, body: { faults: faults.log() } });
      return {
        GET: log,
        DELETE: () => {
          faults.clearLog();
          return log();
        },
      };
    }
    if (rest === 'compact') {
      return { POST: async () => ({ code: 200, body: { resourceVersion: String(await faults.compact()) } }) };
    }
    return this.#ruleMethods(rest);
  }

  #ruleMethods(id: string): Readonly<Record<string, Method>> {
    const faults = this.#faults;
    return {
      GET: async () => {
        const rule = faults.find(id);
        if (rule === undefined) throw noRule(id);
        return { code: 200, body: rule };
      },
      PUT: async (exchange) => {
        const rule = (await bodyOf(exchange)) as FaultRule;
        if (rule.id !== undefined && rule.id !== id)
          throw badRequest(`the rule has another id than the path: ${rule.id}`);
        return { code: 200, body: await faults.add({ ...rule, id }) };
      },
      DELETE: async () => {
        const rule = faults.find(id);
        if (rule === undefined) throw noRule(id);
        faults.remove(id);
        return { code: 200, body: rule };
      },
    };
  }

  /** Replaces all rules. If one of the new ones is invalid, nothing changes. */
  async #replaceAll(body: unknown): Promise<void> {
    const { rules, ...others } = (typeof body === 'object' ? body : {}) as { rules?: unknown };
    const [unknown] = Object.keys(others);
    if (!Array.isArray(rules) || unknown !== undefined) throw badRequest('the body must be {"rules": [...]}');
    const parsed = rules.map(parseRule);
    this.#faults.clear();
    for (const rule of parsed) await this.#faults.add(rule);
  }
}

async function bodyOf(exchange: Exchange): Promise<object> {
  const text = (await exchange.readBody(bodyLimit)).toString();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch (error) {
    throw badRequest(`the body is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw badRequest('the body must be a JSON object');
}

function noRule(id: string): StatusError {
  return new StatusError({ code: 404, reason: 'NotFound', message: `there is no fault rule ${JSON.stringify(id)}` });
}
