import type { AnswerForm } from '../answers/answer-form.ts';
import { JsonWatchForm } from './json-watch-form.ts';
import { PlainWatchForm } from './plain-watch-form.ts';
import { RepresentedWatchForm } from './represented-watch-form.ts';
import type { WatchForm } from './watch-form.ts';

/** Stateless, so all streams share one. */
const jsonForm = new JsonWatchForm();

/** `isMessage` when the protocol has message boundaries, so that the stream needs no framing. */
export function chooseWatchForm(form: AnswerForm, { isMessage }: { isMessage: boolean }): WatchForm {
  const { encoding, representation, type } = form;
  const framing = isMessage ? encoding.encoder.message : encoding.encoder.frame;
  if (representation !== undefined) return new RepresentedWatchForm(representation, { encoding, framing });
  return encoding.name === 'json' ? jsonForm : new PlainWatchForm(type, { encoding, framing });
}
