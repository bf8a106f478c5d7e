import type { FaultAction, FaultRule, RuleState } from './fault-rule.ts';

/** A rule in use. It counts the matching requests and decides which of them it affects. */
export class ActiveRule {
  readonly id: string;
  readonly rule: FaultRule;
  /** The latest revision when the rule was added. */
  readonly since: number;
  /** Aborts when the rule is removed. */
  readonly removed = new AbortController();
  readonly #nth: ReadonlySet<number> | undefined;
  readonly #random: () => number;
  #matched = 0;
  #affected = 0;

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

  get state(): RuleState {
    return { ...this.rule, id: this.id, matched: this.#matched, affected: this.#affected };
  }

  /** Returns whether the rule affects a matching request. Must be called once for each of them, in their order. */
  affects(): boolean {
    const { first, probability } = this.rule;
    this.#matched++;
    // Drawn for every request, so that the other conditions do not change the sequence for later requests.
    const isDrawn = probability === undefined || this.#random() < probability;
    if (!isDrawn || this.#nth?.has(this.#matched) === false || (first !== undefined && this.#affected >= first))
      return false;
    this.#affected++;
    return true;
  }

  /** Returns a number in the range. The seed determines the sequence. */
  between([min, max]: readonly [number, number]): number {
    return min + this.#random() * (max - min);
  }
}

/** Returns a generator of numbers in [0, 1) that depend on the seed alone (Mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
