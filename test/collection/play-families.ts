import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type Server, startServer } from '../../src/index.ts';
import { createRandom } from '../faults/random.ts';
import { Family, type Kind, type Member, policies, referenceTo } from './family.ts';
import { unfinished, violations } from './verdict.ts';

const lives = 3;
const actors = 4;
const actions = 60;

/** Fails unless exactly what has lost its owners is gone in the end. */
export async function playFamilies(seed: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-collection-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const errors: string[] = [];
  let server = await start(dataDir, errors);
  onTestFinished(() => server.stop());
  const family = new Family(server.client);
  for (const name of ['a', 'b']) {
    await server.client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({ metadata: { name } });
  }
  for (let life = 0; life < lives; life++) {
    const play = (actor: number) => act(family, createRandom(seed * 1000 + life * 10 + actor), `${life}-${actor}`);
    await Promise.all(Array.from({ length: actors }, (_, actor) => play(actor)));
    if (life === lives - 1) break;
    // In the middle of whatever the collector is doing.
    await server.stop();
    server = await start(dataDir, errors);
    family.reconnect(server.client);
  }
  await vi.waitFor(async () => expect(unfinished(await family.present())).toEqual([]), {
    interval: 50,
  });
  const present = await family.present();
  expect(violations(family, present)).toEqual([]);
  expect(present.size).toBeGreaterThan(0);
  expect(present.size).toBeLessThan(family.members.size);
  expect(errors).toEqual([]);
}

function start(dataDir: string, errors: string[]): Promise<Server> {
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  const log = { info: () => {}, error, flush: () => Promise.resolve() };
  return startServer({ dataDir, log, controllers: ['garbage-collector-controller'] });
}

const kinds: readonly Kind[] = ['ConfigMap', 'Secret', 'ConfigMap', 'Secret', 'ClusterRole'];

async function act(family: Family, random: (limit: number) => number, mark: string): Promise<void> {
  const oneOf = <T>(items: readonly T[]): T => items[random(items.length)]!;
  for (let action = 0; action < actions; action++) {
    const known = [...family.members.values()];
    if (known.length > 10 && random(4) === 0) {
      await family.remove(oneOf(known), oneOf(policies));
      continue;
    }
    const kind = oneOf(kinds);
    const namespace = kind === 'ClusterRole' ? '' : oneOf(['a', 'b']);
    const count = known.length < 4 ? 0 : random(4);
    const owners = new Map<string, Member>();
    for (let index = 0; index < count; index++) {
      // Mostly one that it can have, and mostly a new one, so that there are deep families.
      const near = known.filter((owner) => owner.namespace === '' || owner.namespace === namespace).slice(-20);
      const owner = oneOf(random(12) === 0 || near.length === 0 ? known : near);
      owners.set(owner.uid, owner);
    }
    const references = Array.from(owners.values(), (owner) => referenceTo(owner, random(2) === 0));
    await family.make({ kind, namespace, name: `m${mark}-${action}`, owners: references });
  }
}
