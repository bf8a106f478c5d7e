import { copyOf, isJsonObject, type JsonObject, setMember } from '../json-object.ts';
import { mergeList } from './merge-list.ts';
import { ownMember } from './own-member.ts';
import { sameValue } from './same-value.ts';
import { anyShape, entryShape, type Shape } from './shape.ts';

/**
 * `live` with everything that `applied` says. The result shares what did not change: it is `live` itself when `applied`
 * says nothing new, also if it spells a quantity in another way. Nothing is removed here.
 */
export function mergeApplied(shape: Shape, live: unknown, applied: unknown): unknown {
  if (applied === undefined || live === applied) return live;
  if (live === undefined) return applied;
  if (shape.atomic) return keepIfSame(shape, live, applied);
  if (shape.type === 'list') return mergeLists(shape, live, applied);
  if (isJsonObject(live)) {
    if (isJsonObject(applied)) return mergeObjects(shape, live, applied);
    // Null says that it is there, no more; what others have put into it stays.
    if (applied === null && !isEmptyObject(live)) return live;
  }
  return keepIfSame(shape, live, applied);
}

function keepIfSame(shape: Shape, live: unknown, applied: unknown): unknown {
  return sameValue(shape, live, applied) ? live : applied;
}

function mergeObjects(shape: Shape, live: JsonObject, applied: JsonObject): JsonObject {
  let result = live;
  for (const key in applied) {
    const own = ownMember(live, key);
    const field = shape.type === 'struct' ? shape.fields.get(key)?.shape : undefined;
    const merged = mergeApplied(field ?? entryShape(shape) ?? anyShape, own, applied[key]);
    if (merged === own) continue;
    if (result === live) result = copyOf(live);
    setMember(result, key, merged);
  }
  return result;
}

function mergeLists(shape: Shape & { type: 'list' }, live: unknown, applied: unknown): unknown {
  const own = Array.isArray(live) ? live : [];
  const wanted = Array.isArray(applied) ? applied : [];
  if (own.length === 0 && wanted.length === 0) return keepIfSame(shape, live, applied);
  return wanted.length === 0 ? live : mergeList(shape, own, { wanted, merge: mergeApplied });
}

function isEmptyObject(object: JsonObject): boolean {
  for (const key in object) {
    if (object[key] !== undefined) return false;
  }
  return true;
}
