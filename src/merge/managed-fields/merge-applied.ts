import { copyOf, isJsonObject, type JsonObject, setMember } from '../../meta/json-object.ts';
import { mergeList } from './merge-list.ts';
import { ownMember } from './own-member.ts';
import { sameValue } from './same-value.ts';
import { anyShape, entryShape, type Shape } from './shape.ts';

/**
 * Merges `applied` into `live` without removing anything. The result shares unchanged parts. It is `live` itself when
 * `applied` changes nothing, even if it spells a quantity differently.
 */
export function mergeApplied(shape: Shape, live: unknown, applied: unknown): unknown {
  if (applied === undefined || live === applied) return live;
  if (live === undefined) return applied;
  if (shape.atomic) return keepIfSame(shape, live, applied);
  if (shape.type === 'list') return mergeLists(shape, live, applied);
  if (isJsonObject(live)) {
    if (isJsonObject(applied)) return mergeObjects(shape, live, applied);
    // Null only states that the container exists. Fields that others have added to it stay.
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
