import { compareQuantities, formatQuantity, negateQuantity, parseQuantity } from '../../../meta/quantity.ts';
import type { AdmissionRequest } from '../../admission-request.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import { addedResources, type Resources } from '../pod-resources.ts';
import type { Quota } from './quota.ts';

/** Charges the request to a quota. Undefined when the quota limits none of the resources. */
export function charged(quota: Quota, demand: Resources, request: AdmissionRequest): Quota | undefined {
  const { hard = {}, used = {} } = quota.status ?? {};
  const names = Object.keys(demand).filter((name) => hard[name] !== undefined);
  if (names.length === 0) return undefined;
  const wanted = only(demand, names);
  const next = addedResources(used, wanted);
  const exceeded = names.filter((name) => isMore(next[name]!, hard[name]!)).sort();
  if (exceeded.length > 0) {
    const [requested, present, limited] = [wanted, used, hard].map((amounts) => listed(only(amounts, exceeded)));
    throw admissionForbidden(
      request,
      `exceeded quota: ${quota.metadata.name}, requested: ${requested}, used: ${present}, limited: ${limited}`,
    );
  }
  return { ...quota, status: { ...quota.status, used: next } };
}

/** Reverts a charge. */
export function refunded(quota: Quota, taken: Resources): Quota {
  const { hard = {}, used = {} } = quota.status ?? {};
  const names = Object.keys(taken).filter((name) => hard[name] !== undefined && used[name] !== undefined);
  return { ...quota, status: { ...quota.status, used: addedResources(used, negated(only(taken, names))) } };
}

/**
 * The increase of an object's usage. A decrease is not credited here: the write may still fail, and others could have
 * used it meanwhile.
 */
export function increase(usage: Resources, oldUsage: Resources): Resources {
  const changes = Object.entries(addedResources(usage, negated(oldUsage)));
  return Object.fromEntries(changes.filter(([, amount]) => parseQuantity(amount).unscaled > 0n));
}

function negated(amounts: Resources): Resources {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(negateQuantity(parseQuantity(amount)))]),
  );
}

function only(amounts: Resources, names: readonly string[]): Resources {
  return Object.fromEntries(names.filter((name) => amounts[name] !== undefined).map((name) => [name, amounts[name]!]));
}

function isMore(left: string, right: string): boolean {
  return compareQuantities(parseQuantity(left), parseQuantity(right)) > 0;
}

function listed(amounts: Resources): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',');
}
