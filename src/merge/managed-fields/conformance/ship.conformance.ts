import {
  bool,
  field,
  int32,
  int64,
  intOrString,
  json,
  listOf,
  mapOf,
  quantity,
  string,
  struct,
  time,
} from '../../../schema/builders.ts';
import { ObjectMeta } from '../../../schema/meta-types.ts';

/** A test kind that covers every ownership rule. */
export const Ship = struct('sea/v1.Ship', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ShipSpec),
  status: field(3, ShipStatus),
}));

const ShipSpec = struct('sea/v1.ShipSpec', () => ({
  name: field(1, string),
  size: field(2, int64, { pointer: true }),
  class: field(3, string, { pointer: true, default: 'sloop' }),
  flags: field(4, mapOf(string)),
  stamps: field(5, mapOf(string), { map: 'atomic' }),
  limits: field(6, mapOf(quantity)),
  crates: field(7, mapOf(Crate)),
  crew: field(8, listOf(Person), { always: true, list: ['name'] }),
  hatches: field(9, listOf(Hatch), { list: ['number', 'side'] }),
  colours: field(10, listOf(string), { list: 'set' }),
  berths: field(11, listOf(int64), { list: 'set' }),
  route: field(12, listOf(string), { list: 'atomic' }),
  log: field(13, listOf(Person)),
  engine: field(14, Engine, { pointer: true }),
  hull: field(15, Hull),
  home: field(16, Place, { pointer: true }),
  port: field(17, Place, { pointer: true, map: 'granular' }),
  cargo: field(18, json, { pointer: true }),
}));

const Crate = struct('sea/v1.Crate', () => ({ goods: field(1, string), count: field(2, int32) }));

const Person = struct('sea/v1.Person', () => ({
  name: field(1, string, { required: true, always: true }),
  rank: field(2, string),
  tools: field(3, listOf(string), { list: 'atomic' }),
  badges: field(4, listOf(Badge), { list: ['kind'] }),
  kit: field(5, Kit),
}));

const Badge = struct('sea/v1.Badge', () => ({
  kind: field(1, string, { always: true }),
  value: field(2, string),
}));

const Kit = struct('sea/v1.Kit', () => ({ boots: field(1, bool), coat: field(2, string) }));

const Hatch = struct('sea/v1.Hatch', () => ({
  number: field(1, int32, { required: true, always: true }),
  side: field(2, string, { default: 'port' }),
  label: field(3, string),
}));

const Engine = struct('sea/v1.Engine', () => ({
  power: field(1, quantity, { pointer: true }),
  fuel: field(2, string, { default: 'coal' }),
  tank: field(3, intOrString, { pointer: true }),
}));

const Hull = struct('sea/v1.Hull', () => ({ planks: field(1, int32), paint: field(2, string) }));

const Place = struct('sea/v1.Place', () => ({ land: field(1, string), town: field(2, string) }), { atomic: true });

const ShipStatus = struct('sea/v1.ShipStatus', () => ({
  phase: field(1, string),
  knots: field(2, int32),
  conditions: field(3, listOf(ShipCondition), { list: ['type'] }),
}));

const ShipCondition = struct('sea/v1.ShipCondition', () => ({
  type: field(1, string, { always: true }),
  status: field(2, string, { always: true }),
  since: field(3, time),
}));
