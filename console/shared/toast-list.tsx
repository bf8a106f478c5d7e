import { dismissToast, toasts } from '../state/toasts.ts';
import { Icon } from './icon.tsx';

export function ToastList() {
  return (
    <section class="toasts" aria-label="Messages" aria-live="polite">
      {toasts.value.map(({ id, kind, text, causes }) => (
        <div key={id} class={`toast toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          <Icon name={kind === 'done' ? 'check' : 'warning'} />
          <div class="toast-text">
            <p>{text}</p>
            {causes.length > 0 && (
              <ul>
                {causes.map(({ field, message }, index) => (
                  <li key={index}>
                    {field && <code>{field}</code>} {message}
                  </li>
                ))}
              </ul>
            )}
          </div>
          <button type="button" class="button-icon" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </section>
  );
}
