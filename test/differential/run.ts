import type { Fetch } from '../../src/client/index.ts';
import type { Json } from '../invariants/json.ts';
import { knownValues, loadSubjects, type Subject } from '../invariants/subjects.ts';
import { type BodyCodec, canonicalBody, jsonBodies } from './body-codec.ts';
import { type DifferenceClass, DifferenceClasses } from './classes.ts';
import { compareExchanges } from './compare.ts';
import { generateCase } from './generate-case.ts';
import { Player } from './player.ts';

/** A server as one client sees it. */
export interface Peer {
  readonly fetch: Fetch;
  /** JSON by default. */
  readonly codec?: BodyCodec;
}

export interface RunOptions {
  readonly peers: readonly [Peer, Peer];
  readonly seed: number;
  /** The number of cases. */
  readonly cases: number;
  /** Called after each case. */
  readonly onCase?: (index: number) => void;
}

export interface Outcome {
  readonly seed: number;
  readonly cases: number;
  /** The number of requests of the cases to each server. */
  readonly requests: number;
  /** The number of them that the first server accepted. */
  readonly accepted: number;
  readonly classes: readonly DifferenceClass[];
}

/** Plays the same generated cases on two servers, one case after the other, and collects the differences. */
export async function runDifferential({ peers, seed, cases, onCase }: RunOptions): Promise<Outcome> {
  const [first, second] = peers.map(({ fetch, codec }) => new Player(fetch, codec ?? jsonBodies)) as [Player, Player];
  const view = peers[0].codec === peers[1].codec ? (body: Json) => body : canonicalBody;
  const all = await loadSubjects();
  const types = { subjects: await servedByAll([first, second], all), known: knownValues(all) };
  const classes = new DifferenceClasses();
  const counts = { requests: 0, accepted: 0 };
  for (let index = 0; index < cases; index++) {
    const generated = generateCase({ seed, index }, types);
    const [exchanges, others] = await Promise.all([first.play(generated), second.play(generated)]);
    counts.requests += exchanges.length;
    counts.accepted += exchanges.filter(({ answer: { status } }) => status >= 200 && status < 300).length;
    classes.add({ index, kind: generated.kind, exchanges }, compareExchanges(exchanges, others, view));
    onCase?.(index);
  }
  return { seed, cases, ...counts, classes: classes.all };
}

/** The types that every server has. */
async function servedByAll(players: readonly Player[], subjects: readonly Subject[]): Promise<Subject[]> {
  const root = ({ definition: { group, version } }: Subject) =>
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const served = new Set<string>();
  for (const path of new Set(subjects.map(root))) {
    const lists = await Promise.all(players.map((player) => player.get(path)));
    const names = lists.map(({ body }) => {
      const { resources = [] } = body as { resources?: { name: string }[] };
      return new Set(resources.map(({ name }) => name));
    });
    for (const name of names[0]!) if (names.every((one) => one.has(name))) served.add(`${path} ${name}`);
  }
  return subjects.filter((subject) => served.has(`${root(subject)} ${subject.definition.resource}`));
}
