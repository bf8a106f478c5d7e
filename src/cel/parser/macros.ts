import {
  accumulatorName,
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  type IdentExpression,
} from './expression.ts';

export interface MacroOptions {
  /** Whether `cel.bind` is a macro. */
  readonly hasBindings?: boolean | undefined;
}

type Report = (position: number, text: string) => void;

interface MacroCall {
  readonly position: number;
  readonly target: Expression;
  readonly args: readonly Expression[];
  readonly report: Report;
}

type Expand = (call: MacroCall) => Expression | undefined;

/** Macros by name and number of arguments. All but `has` are called on a target. */
const macros: Readonly<Record<string, Expand>> = {
  'all:2': (call) => quantifier(call, 'all'),
  'all:3': (call) => quantifier(call, 'all'),
  'exists:2': (call) => quantifier(call, 'exists'),
  'exists:3': (call) => quantifier(call, 'exists'),
  'exists_one:2': (call) => quantifier(call, 'exists_one'),
  'existsOne:3': (call) => quantifier(call, 'exists_one'),
  'map:2': (call) => listComprehension(call, { transform: 1 }),
  'map:3': (call) => listComprehension(call, { filter: 1, transform: 2 }),
  'filter:2': (call) => listComprehension(call, { filter: 1 }),
  'sortBy:2': sortBy,
  'transformList:3': (call) => listComprehension(call, { transform: 2 }),
  'transformList:4': (call) => listComprehension(call, { filter: 2, transform: 3 }),
  'transformMap:3': (call) => mapComprehension(call, { transform: 2 }),
  'transformMap:4': (call) => mapComprehension(call, { filter: 2, transform: 3 }),
  'transformMapEntry:3': (call) => mapComprehension(call, { transform: 2, entry: true }),
  'transformMapEntry:4': (call) => mapComprehension(call, { filter: 2, transform: 3, entry: true }),
  'bind:3': bind,
  'optMap:2': (call) => optionalMap(call, 'optMap'),
  'optFlatMap:2': (call) => optionalMap(call, 'optFlatMap'),
};

/** Returns the expansion of a macro call, and undefined for any other call. */
export function expandMacro(
  call: CallExpression,
  report: Report,
  { hasBindings = false }: MacroOptions,
): Expression | undefined {
  const { name, target, args, position } = call;
  if (target === undefined)
    return name === 'has' && args.length === 1 ? presence(position, args[0]!, report) : undefined;
  const key = `${name}:${args.length}`;
  if (key === 'bind:3' && !hasBindings) return undefined;
  return Object.hasOwn(macros, key) ? macros[key]!({ position, target, args, report }) : undefined;
}

function presence(position: number, argument: Expression, report: Report): Expression {
  if (argument.kind === 'select' && !argument.test) return { ...argument, position, test: true };
  report(argument.position, 'invalid argument to has() macro');
  return argument;
}

const ident = (position: number, name: string): IdentExpression => ({ kind: 'ident', position, name });
const literal = (position: number, value: unknown): Expression => ({ kind: 'literal', position, value });
const operator = (position: number, name: string, args: readonly Expression[]): CallExpression => ({
  kind: 'call',
  position,
  name,
  target: undefined,
  args,
});
const listOf = (position: number, elements: readonly Expression[]): Expression => ({
  kind: 'list',
  position,
  elements,
  optional: new Set(),
});

/** Returns the names of the first arguments. Undefined if they are invalid, which is then reported. */
function variablesOf({ args, report }: MacroCall, count: number, problem: string): string[] | undefined {
  const names: string[] = [];
  for (const argument of args.slice(0, count)) {
    if (argument.kind !== 'ident' || argument.name.startsWith('.')) {
      report(argument.position, problem);
      return undefined;
    }
    if (argument.name === '__result__' || argument.name === accumulatorName) {
      report(argument.position, 'iteration variable overwrites accumulator variable');
      return undefined;
    }
    names.push(argument.name);
  }
  if (count === 2 && names[0] === names[1]) {
    report(args[1]!.position, `duplicate variable name: ${names[1]}`);
    return undefined;
  }
  return names;
}

type Loop = Pick<ComprehensionExpression, 'init' | 'condition' | 'step' | 'result'>;

function comprehension(call: MacroCall, names: readonly string[], loop: Loop): Expression {
  const [variable, variable2] = names;
  return {
    kind: 'comprehension',
    position: call.position,
    range: call.target,
    variable: variable!,
    ...(variable2 === undefined ? {} : { variable2 }),
    accumulator: accumulatorName,
    ...loop,
  };
}

function quantifier(call: MacroCall, kind: 'all' | 'exists' | 'exists_one'): Expression | undefined {
  const { args, position } = call;
  const names = variablesOf(call, args.length - 1, 'argument must be a simple name');
  if (names === undefined) return call.target;
  const predicate = args.at(-1)!;
  const result = () => ident(position, accumulatorName);
  if (kind === 'exists_one') {
    const increment = operator(position, '_+_', [result(), literal(position, 1n)]);
    return comprehension(call, names, {
      init: literal(position, 0n),
      condition: literal(position, true),
      step: operator(position, '_?_:_', [predicate, increment, result()]),
      result: operator(position, '_==_', [result(), literal(position, 1n)]),
    });
  }
  const all = kind === 'all';
  const loopCondition = all ? result() : operator(position, '!_', [result()]);
  return comprehension(call, names, {
    init: literal(position, all),
    condition: operator(position, '@not_strictly_false', [loopCondition]),
    step: operator(position, all ? '_&&_' : '_||_', [result(), predicate]),
    result: result(),
  });
}

/** The positions of the arguments. */
interface Shape {
  readonly filter?: number;
  readonly transform?: number;
  /** The transformation returns a map with the new entry. */
  readonly entry?: boolean;
}

function collecting(
  call: MacroCall,
  shape: Shape,
  { init, add }: { readonly init: Expression; readonly add: (names: readonly string[]) => Expression },
): Expression | undefined {
  const { args, position } = call;
  const count = shape.filter ?? shape.transform!;
  const names = variablesOf(
    call,
    count,
    count === 1 ? 'argument is not an identifier' : 'argument must be a simple name',
  );
  if (names === undefined) return call.target;
  const filter = shape.filter === undefined ? undefined : args[shape.filter]!;
  const added = add(names);
  return comprehension(call, names, {
    init,
    condition: literal(position, true),
    step: filter === undefined ? added : operator(position, '_?_:_', [filter, added, ident(position, accumulatorName)]),
    result: ident(position, accumulatorName),
  });
}

function listComprehension(call: MacroCall, shape: Shape): Expression | undefined {
  const { args, position } = call;
  return collecting(call, shape, {
    init: listOf(position, []),
    add: () => {
      const item = args[shape.transform ?? 0]!;
      return operator(position, '_+_', [ident(position, accumulatorName), listOf(position, [item])]);
    },
  });
}

/** Sorts the list by the list of the keys of its elements. */
function sortBy(call: MacroCall): Expression | undefined {
  const { target, position, report } = call;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    report(
      target.position,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
    return target;
  }
  const list = () => ident(position, '@__sortBy_input__');
  const keys = listComprehension({ ...call, target: list() }, { transform: 1 });
  if (keys === undefined) return undefined;
  return binding(position, list().name, {
    value: target,
    result: { kind: 'call', position, name: '@sortByAssociatedKeys', target: list(), args: [keys] },
  });
}

function mapComprehension(call: MacroCall, shape: Shape): Expression | undefined {
  const { args, position } = call;
  return collecting(call, shape, {
    init: { kind: 'map', position, entries: [] },
    add: (names) => {
      const value = args[shape.transform!]!;
      const entry = shape.entry === true ? [value] : [ident(position, names[0]!), value];
      return operator(position, 'cel.@mapInsert', [ident(position, accumulatorName), ...entry]);
    },
  });
}

/** `cel.bind(name, value, result)`. Any other target makes it an ordinary call. */
function bind(call: MacroCall): Expression | undefined {
  const { target, args, position, report } = call;
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  const [name, value, result] = args as readonly [Expression, Expression, Expression];
  if (name.kind !== 'ident') {
    report(name.position, 'cel.bind() variable names must be simple identifiers');
    return result;
  }
  return binding(position, name.name, { value, result });
}

function binding(
  position: number,
  name: string,
  { value, result }: { readonly value: Expression; readonly result: Expression },
): Expression {
  return {
    kind: 'comprehension',
    position,
    range: listOf(position, []),
    variable: '#unused',
    accumulator: name,
    init: value,
    condition: literal(position, false),
    step: ident(position, name),
    result,
  };
}

function optionalMap(call: MacroCall, kind: 'optMap' | 'optFlatMap'): Expression | undefined {
  const { target, args, position, report } = call;
  const [name, body] = args as readonly [Expression, Expression];
  if (name.kind !== 'ident') {
    report(name.position, `${kind}() variable name must be a simple identifier`);
    return body;
  }
  const method = (method: string): Expression => ({ kind: 'call', position, name: method, target, args: [] });
  const mapped = binding(position, name.name, { value: method('value'), result: body });
  const whenPresent = kind === 'optMap' ? operator(position, 'optional.of', [mapped]) : mapped;
  return operator(position, '_?_:_', [method('hasValue'), whenPresent, operator(position, 'optional.none', [])]);
}
