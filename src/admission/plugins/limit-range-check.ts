import { compareQuantities, parseQuantity, type Quantity } from '../../meta/quantity.ts';
import type { Resources } from './pod-resources.ts';

export interface LimitItem {
  readonly type?: string;
  readonly min?: Resources;
  readonly max?: Resources;
  readonly default?: Resources;
  readonly defaultRequest?: Resources;
  readonly maxLimitRequestRatio?: Resources;
}

export interface Usage {
  readonly requests: Resources;
  /** Undefined for claims, which have requests only. */
  readonly limits: Resources | undefined;
}

/** The violations of one limit by a usage, for each resource. */
export function limitErrors(limit: LimitItem, usage: Usage): string[] {
  return [
    ...byName(limit.min, (name, bound) => minimumError(limit, usage, { name, bound })),
    ...byName(limit.max, (name, bound) => maximumError(limit, usage, { name, bound })),
    ...byName(limit.maxLimitRequestRatio, (name, bound) => ratioError(limit, usage, { name, bound })),
  ];
}

function byName(bounds: Resources = {}, check: (name: string, bound: string) => string | undefined): string[] {
  const names = Object.keys(bounds).sort();
  return names.map((name) => check(name, bounds[name]!)).filter((error) => error !== undefined);
}

interface Bound {
  readonly name: string;
  readonly bound: string;
}

function minimumError({ type }: LimitItem, { requests, limits }: Usage, { name, bound }: Bound): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${bound}`;
  const request = requests[name];
  const limit = limits?.[name];
  if (request === undefined) return `${rule}.  No request is specified`;
  if (isLess(request, bound)) return `${rule}, but request is ${request}`;
  return limit !== undefined && isLess(limit, bound) ? `${rule}, but limit is ${limit}` : undefined;
}

function maximumError({ type }: LimitItem, { requests, limits }: Usage, { name, bound }: Bound): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${bound}`;
  const request = requests[name];
  if (limits === undefined) {
    if (request === undefined) return `${rule}.  No request is specified`;
  } else {
    const limit = limits[name];
    if (limit === undefined) return `${rule}.  No limit is specified`;
    if (isLess(bound, limit)) return `${rule}, but limit is ${limit}`;
  }
  return request !== undefined && isLess(bound, request) ? `${rule}, but request is ${request}` : undefined;
}

function ratioError({ type }: LimitItem, { requests, limits }: Usage, { name, bound }: Bound): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`;
  const request = amount(requests[name]);
  const limit = amount(limits?.[name]);
  if (request === 0) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > amount(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

function isLess(left: string, right: string): boolean {
  return compareQuantities(parseQuantity(left), parseQuantity(right)) < 0;
}

/** A floating-point value, precise enough for a ratio. Zero when absent. */
function amount(text: string | undefined): number {
  if (text === undefined) return 0;
  const { unscaled, exponent }: Quantity = parseQuantity(text);
  return Number(unscaled) * 10 ** exponent;
}
