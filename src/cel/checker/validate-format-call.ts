import { CelError } from '../cel-error.ts';
import { type FormatVerb, interpolate, wrongArgument } from '../library/format-clauses.ts';
import type { CallExpression, Expression } from '../parser/expression.ts';
import type { SourceProblems } from '../parser/source-problems.ts';
import { type CelType, typeName } from './cel-type.ts';

const kinds: Readonly<Record<FormatVerb, readonly CelType['kind'][]>> = {
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: ['int', 'uint'],
  // Some texts stand for a number.
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  o: ['int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
};

/** Reports the first mistake of a call of `format` whose text and list of arguments are spelled out. */
export function validateFormatCall(call: CallExpression, problems: SourceProblems): void {
  const { target, args } = call;
  if (target?.kind !== 'literal' || typeof target.value !== 'string') return;
  const [list, ...others] = args;
  if (list?.kind !== 'list' || others.length > 0) return;
  const count = list.elements.length;
  let position = call.position;
  let used = 0;
  try {
    interpolate(target.value, {
      count,
      write: ({ verb }, index) => {
        used++;
        const wrong = misfit(list.elements[index]!, verb);
        if (wrong === undefined) return '';
        position = wrong.position;
        throw wrongArgument(verb, typeName(wrong.type!));
      },
    });
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    problems.add(position, error.message);
    return;
  }
  if (used === count) return;
  problems.add(position, `too many arguments supplied to string.format (expected ${used}, got ${count})`);
}

/** The argument, or the first entry of its lists and maps, that the verb cannot write. */
function misfit(argument: Expression, verb: FormatVerb): Expression | undefined {
  const { kind } = argument.type!;
  if (kind !== 'dyn' && !kinds[verb].includes(kind)) return argument;
  if (verb !== 's') return undefined;
  for (const entry of entriesOf(argument)) {
    const wrong = misfit(entry, verb);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function entriesOf(argument: Expression): readonly Expression[] {
  if (argument.kind === 'list') return argument.elements;
  return argument.kind === 'map' ? argument.entries.flatMap(({ key, value }) => [key, value]) : [];
}
