import { type CelType, dynType, isDynamic, mapParameters, type TypeParameter } from './cel-type.ts';
import type { Overload } from './declarations.ts';
import { areAssignable, isSameType, type Substitution, substitute } from './unify.ts';

interface Resolution {
  /** The overloads that accept the operands. If there are several, the values decide at run time. */
  readonly overloads: readonly Overload[];
  /** The type that all of them return, or dyn. */
  readonly result: CelType;
}

/** Finds the overloads that accept operands of these types. Undefined when there are none. */
export function resolveOverloads(
  known: Substitution,
  overloads: readonly Overload[],
  { member, types }: { readonly member: boolean; readonly types: readonly CelType[] },
): Resolution | undefined {
  const matching: Overload[] = [];
  let result: CelType | undefined;
  for (const overload of overloads) {
    if (overload.member !== member || overload.parameters.length !== types.length) continue;
    const rename = overload.generic ? renameParameters(known) : undefined;
    const parameters = rename === undefined ? overload.parameters : overload.parameters.map(rename);
    if (!areAssignable(known, types, parameters)) continue;
    matching.push(overload);
    const type = rename === undefined ? overload.result : substitute(known, rename(overload.result));
    if (result === undefined) result = type;
    else if (!isDynamic(result) && !isSameType(result, type)) result = dynType;
  }
  return result === undefined ? undefined : { overloads: matching, result };
}

/** Gives the type parameters of one signature unique names. */
function renameParameters(known: Substitution): (type: CelType) => CelType {
  const names = new Map<string, TypeParameter>();
  const rename = (type: CelType): CelType => {
    if (type.kind !== 'parameter') return mapParameters(type, rename);
    let parameter = names.get(type.name);
    if (parameter === undefined) {
      parameter = known.newParameter();
      names.set(type.name, parameter);
    }
    return parameter;
  };
  return rename;
}
