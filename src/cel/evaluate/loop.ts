import { CelError, isAbsorbable } from '../cel-error.ts';
import { spend } from '../work.ts';
import type { Frame, Run } from './frame.ts';
import { runResumable } from './progress.ts';
import { goTypeOf, ListValue, MapValue } from './values.ts';

interface Loop {
  readonly init: Run;
  readonly condition: Run;
  readonly step: Run;
  readonly result: Run;
  /** The slots of the variables in the frame. Only loops with two variables have the second. */
  readonly slots: { readonly accumulator: number; readonly first: number; readonly second: number | undefined };
}

/** Runs a comprehension over the entries of a list or map. */
export function loopOver(range: Run, { init, condition, step, result, slots }: Loop): Run {
  const { accumulator, first, second } = slots;
  const two = second !== undefined;
  const refuse = two ? notEntries : notIterable;
  const iterate = (frame: Frame, key: unknown, value: unknown): boolean => {
    frame.slots[first] = key;
    if (two) frame.slots[second] = value;
    spend(0.01);
    if (condition(frame) !== true) return false;
    frame.slots[accumulator] = outcome(step, frame);
    return true;
  };
  const start = (frame: Frame): unknown => {
    const entries = range(frame);
    frame.slots[accumulator] = outcome(init, frame);
    return entries;
  };
  const plain: Run = (frame) => {
    const entries = start(frame);
    if (entries instanceof ListValue) {
      for (let index = 0; index < entries.length; index++) {
        const item = entries.get(index);
        if (!(two ? iterate(frame, BigInt(index), item) : iterate(frame, item, undefined))) break;
      }
    } else if (entries instanceof MapValue) {
      for (const key of entries.keys()) if (!iterate(frame, key, two ? entries.find(key) : undefined)) break;
    } else throw refuse(entries);
    return result(frame);
  };
  const interruptible: Run = (frame) => {
    let position: Position | undefined;
    return runResumable(frame, {
      run: (progress) => {
        if (progress.saved === undefined) {
          position = { entries: start(frame), index: 0, accumulator: undefined };
          progress.mark(frame);
        } else {
          position = progress.saved as Position;
          frame.slots[accumulator] = position.accumulator;
        }
        const { entries } = position;
        if (entries instanceof ListValue) {
          for (; position.index < entries.length; position.index++, progress.mark(frame)) {
            frame.check();
            const item = entries.get(position.index);
            if (!(two ? iterate(frame, BigInt(position.index), item) : iterate(frame, item, undefined))) break;
          }
        } else if (entries instanceof MapValue) {
          let index = 0;
          for (const key of entries.keys()) {
            if (index++ < position.index) continue;
            frame.check();
            if (!iterate(frame, key, two ? entries.find(key) : undefined)) break;
            position.index++;
            progress.mark(frame);
          }
        } else throw refuse(entries);
        return result(frame);
      },
      save: () => position && { ...position, accumulator: frame.slots[accumulator] },
    });
  };
  return (frame) => (frame.progressList === undefined ? plain(frame) : interruptible(frame));
}

function notIterable(value: unknown): CelError {
  return new CelError(`got '${goTypeOf(value)}', expected iterable type`);
}

function notEntries(value: unknown): CelError {
  return new CelError(`unsupported comprehension range type: ${goTypeOf(value)}`);
}

interface Position {
  readonly entries: unknown;
  index: number;
  readonly accumulator: unknown;
}

/** The value, or the error as long as a later step may make it irrelevant. */
export function outcome(run: Run, frame: Frame): unknown {
  try {
    return run(frame);
  } catch (error) {
    if (isAbsorbable(error)) return error;
    throw error;
  }
}
