import { exactJson } from '../../src/recording/exact-json.ts';
import type { DifferenceClass } from './classes.ts';
import type { Exchange } from './player.ts';
import type { Outcome } from './run.ts';

const maxValue = 400;

/** The text for people: a table of all classes, and an example of the most frequent ones. */
export function reportText({ classes, cases, requests, seed }: Outcome, { show }: { readonly show: number }): string {
  const total = `${cases} cases with seed ${seed}, ${requests} requests to each server`;
  if (classes.length === 0) return `${total}: no differences`;
  const rows = classes.map(({ count, verb, kind, place }) => `${String(count).padStart(6)}  ${verb} ${kind}: ${place}`);
  const examples = classes.slice(0, show).map(exampleText);
  return [`${total}: ${classes.length} classes of differences`, ...rows, '', ...examples].join('\n');
}

function exampleText({ count, verb, kind, place, example }: DifferenceClass): string {
  const { left, right } = example.difference;
  return [
    `${verb} ${kind}: ${place} (${count} times, for example in case ${example.case})`,
    ...example.exchanges.filter(({ answer }) => answer.status !== 0).flatMap(requestLines),
    `  first:  ${valueText(left)}`,
    `  second: ${valueText(right)}`,
    '',
  ].join('\n');
}

function requestLines({ method, path, type, accept, manager, body }: Exchange): string[] {
  const headers = [type && `content-type: ${type}`, accept && `accept: ${accept}`, manager && `user-agent: ${manager}`];
  const given = headers.filter((header) => header !== undefined);
  const line = `  ${[`${method} ${path}`, ...given].join('  ')}`;
  return body === undefined ? [line] : [line, `    ${exactJson(body)}`];
}

function valueText(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = exactJson(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}...` : text;
}
