import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { unitCost } from '../cost/call-cost.ts';
import { EntryMap, ListValue, OpaqueValue } from '../evaluate/values.ts';
import { spend, spendOnPieces } from '../work.ts';
import { isParsable } from './parsable.ts';
import { type ParsedUrl, parseUrl } from './parse-url.ts';
import { textCost } from './text-costs.ts';

/** A URL as parsed by Go's net/url, without normalization. */
export class CelUrl extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;

  /** Accepts only absolute URLs and absolute paths. Throws a `CelError` otherwise. */
  constructor(text: string) {
    super();
    const { scheme, host, path, query } = parsed(text);
    const [, hostname = '', port = ''] = /^(.*?)(?::([0-9]*))?$/s.exec(host)!;
    this.text = text;
    this.scheme = scheme;
    this.host = host;
    this.hostname = hostname.replace(/^\[(.*)\]$/s, '$1');
    this.port = port;
    this.path = path;
    this.query = query;
  }

  override equals(other: OpaqueValue): boolean {
    return this.text === (other as CelUrl).text;
  }
}

function parsed(text: string): ParsedUrl {
  try {
    return parseUrl(text);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw new CelError(`URL parse error during conversion from string: ${error.message}`);
  }
}

/** A parameter is a list in a map. */
const workPerParameter = 40;

function queryOf({ query }: CelUrl): EntryMap {
  const lists = new Map<string, string[]>();
  const add = (key: string, value: string): void => {
    const values = lists.get(key);
    if (values === undefined) lists.set(key, [value]);
    else values.push(value);
  };
  spendOnPieces(query, '&');
  for (const parameter of query.split('&')) {
    if (parameter === '') continue;
    spend(workPerParameter);
    const equals = parameter.indexOf('=');
    // Most parts have nothing to decode.
    if (parameter.includes('%') || parameter.includes('+'))
      for (const [key, value] of new URLSearchParams(parameter)) add(key, value);
    else if (equals < 0) add(parameter, '');
    else add(parameter.slice(0, equals), parameter.slice(equals + 1));
  }
  const map = new EntryMap();
  for (const [key, values] of lists) map.set(key, new ListValue(values));
  return map;
}

const unit = { cost: unitCost };

/** `url()`, `isURL()` and the functions of URLs. */
export const urls: readonly Overload[] = [
  defineFunction('url', { '(string): URL': (text: string) => new CelUrl(text) }, { cost: textCost }),
  defineFunction('isURL', { '(string): bool': isParsable((text) => new CelUrl(text)) }),
  defineFunction('getScheme', { 'URL.(): string': (url: CelUrl) => url.scheme }, unit),
  defineFunction('getHost', { 'URL.(): string': (url: CelUrl) => url.host }, unit),
  defineFunction('getHostname', { 'URL.(): string': (url: CelUrl) => url.hostname }, unit),
  defineFunction('getPort', { 'URL.(): string': (url: CelUrl) => url.port }, unit),
  defineFunction('getEscapedPath', { 'URL.(): string': (url: CelUrl) => url.path }, unit),
  defineFunction('getQuery', { 'URL.(): map(string, list(string))': queryOf }, unit),
].flat();
