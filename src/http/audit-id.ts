import { randomUUID } from 'node:crypto';
import type { Exchange } from './exchange.ts';

/** Longer than any reasonable identifier. */
const maxIdLength = 128;

/** The identifier of a request in the logs of clients, proxies and servers. A client may choose it. */
export function auditIdOf(exchange: Pick<Exchange, 'header'>): string {
  const given = exchange.header('audit-id');
  return given === undefined || given === '' || given.length > maxIdLength ? randomUUID() : given;
}
