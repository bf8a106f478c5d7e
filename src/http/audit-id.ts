import { randomUUID } from 'node:crypto';
import type { Exchange } from './exchange.ts';

/** Far more than any identifier has. */
const longest = 128;

/** The name by which a request is found in the logs of everybody on its way: the client's, if it gives a sensible one. */
export function auditIdOf(exchange: Pick<Exchange, 'header'>): string {
  const given = exchange.header('audit-id');
  return given === undefined || given === '' || given.length > longest ? randomUUID() : given;
}
