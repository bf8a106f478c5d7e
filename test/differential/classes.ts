import type { Difference, Path } from '../invariants/json.ts';
import type { DifferentStep } from './compare.ts';
import type { Exchange } from './player.ts';

/** Differences at the same place in answers to the same verb for the same kind. */
export interface DifferenceClass {
  readonly place: string;
  readonly kind: string;
  readonly verb: string;
  /** The number of cases with such a difference. */
  count: number;
  /** The shortest sequence of requests that shows it. */
  example: DifferenceExample;
}

interface DifferenceExample {
  /** The number of the case, from 0. */
  readonly case: number;
  /** The requests as the first server got them. The answers to the last one differ. */
  readonly exchanges: readonly Exchange[];
  readonly difference: Difference;
}

interface PlayedCase {
  readonly index: number;
  readonly kind: string;
  readonly exchanges: readonly Exchange[];
}

/** Groups differences and counts the cases in which they occur. */
export class DifferenceClasses {
  readonly #classes = new Map<string, DifferenceClass>();

  add({ index, kind, exchanges }: PlayedCase, steps: readonly DifferentStep[]): void {
    // The same difference is found again in each later answer with the object.
    const places = new Set<string>();
    for (const step of steps) {
      const verb = verbOf(exchanges[step.index]!);
      for (const difference of step.differences) {
        const place = placeText(difference.path);
        if (places.has(place)) continue;
        places.add(place);
        const example = { case: index, exchanges: exchanges.slice(0, step.index + 1), difference };
        this.#count({ place, kind, verb, count: 1, example });
      }
    }
  }

  /** The most frequent class comes first. */
  get all(): DifferenceClass[] {
    return [...this.#classes.values()].sort((one, other) => other.count - one.count);
  }

  #count(added: DifferenceClass): void {
    const key = `${added.verb} ${added.kind} ${added.place}`;
    const known = this.#classes.get(key);
    if (known === undefined) {
      this.#classes.set(key, added);
      return;
    }
    known.count++;
    if (added.example.exchanges.length < known.example.exchanges.length) known.example = added.example;
  }
}

/** The method, and the way of a patch. */
function verbOf({ method, type }: Exchange): string {
  return method === 'PATCH' ? `PATCH ${/^application\/(\w+)/.exec(type ?? '')?.[1] ?? ''}`.trim() : method;
}

/** The path without what differs between the objects of a kind: indexes, and keys of maps that are no field names. */
export function placeText(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return '[]';
    if (/^[kv]:/.test(step)) return `.${step.slice(0, 2)}*`;
    return /^([a-z]:)?[A-Za-z][A-Za-z0-9]*$|^(\.|status code)$/.test(step) ? `.${step}` : '.*';
  });
  return steps.join('').replace(/^\./, '') || 'body';
}
