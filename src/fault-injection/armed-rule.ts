import type { ActiveRule, FaultAction, FaultRule } from './fault-rule.ts';

/** An active rule. Counts the matching requests and decides which of them it affects. */
export class ArmedRule {
  readonly id: string;
  readonly rule: FaultRule;
  /** The latest revision when the rule was added. */
  readonly since: number;
  /** Aborts when the rule is removed. */
  readonly removed = new AbortController();
  readonly #nth: ReadonlySet<number> | undefined;
  readonly #random: () => number;
  #matched = 0;
  #met = 0;

  constructor(id: string, rule: FaultRule, since: number) {
    this.id = id;
    this.rule = rule;
    this.since = since;
    this.#nth = rule.nth === undefined ? undefined : new Set([rule.nth].flat());
    this.#random = seededRandom(rule.seed ?? 1);
  }

  get action(): FaultAction {
    return this.rule.action;
  }

  get matched(): number {
    return this.#matched;
  }

  get state(): ActiveRule {
    return { ...this.rule, id: this.id, matched: this.#matched, met: this.#met };
  }

  /** Called once for every request that matches, in their order. Whether the rule meets it. */
  meets(): boolean {
    const { first, probability } = this.rule;
    this.#matched++;
    // Drawn for every request, so that the other conditions do not change the sequence for later requests.
    const isDrawn = probability === undefined || this.#random() < probability;
    if (!isDrawn || this.#nth?.has(this.#matched) === false || (first !== undefined && this.#met >= first))
      return false;
    this.#met++;
    return true;
  }

  /** A number in the range, which follows from the seed. */
  between([min, max]: readonly [number, number]): number {
    return min + this.#random() * (max - min);
  }
}

/** Numbers from 0 up to but without 1 that depend on the seed alone (Mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
