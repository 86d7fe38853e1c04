import { useSignal } from '@preact/signals';
import { Button, Link } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { hasFilters, type JobFilters } from './job-filters.ts';
import { jobsTexts } from './jobs-texts.ts';
import { forgetView, MAX_NAME, saveView, type View, views } from './views.ts';

/** Saved filters, each one click away. */
export function SavedViews({ filters }: { readonly filters: JobFilters }) {
  const words = jobsTexts();
  const isNaming = useSignal(false);
  const current = JSON.stringify(filters);
  const isSaved = views.value.some((view) => JSON.stringify(view.filters) === current);
  if (views.value.length === 0 && !hasFilters(filters)) return null;
  return (
    <div class="views">
      <ul aria-label={words.views}>
        {views.value.map((view) => (
          <ViewChip
            key={view.name}
            view={view}
            isCurrent={JSON.stringify(view.filters) === current}
          />
        ))}
      </ul>
      {hasFilters(filters) && !isSaved ? (
        <Button look="quiet" onClick={() => (isNaming.value = true)}>
          {words.saveView}
        </Button>
      ) : null}
      {isNaming.value ? (
        <Dialog title={words.saveView} onClose={() => (isNaming.value = false)}>
          <Form
            submitLabel={words.save}
            onCancel={() => (isNaming.value = false)}
            onSubmit={async (values) => {
              saveView((textOf(values, 'name') ?? '').trim(), filters);
              isNaming.value = false;
            }}
          >
            <TextField
              label={words.viewName}
              hint={words.viewHint}
              name="name"
              required
              maxLength={MAX_NAME}
              pattern=".*\S.*"
            />
          </Form>
        </Dialog>
      ) : null}
    </div>
  );
}

function ViewChip({ view, isCurrent }: { readonly view: View; readonly isCurrent: boolean }) {
  const { name, filters } = view;
  return (
    <li class="chip">
      <Link to="jobs" query={{ ...filters }} current={isCurrent}>
        {name}
      </Link>
      <Button look="quiet" label={jobsTexts().forgetView(name)} onClick={() => forgetView(name)}>
        ×
      </Button>
    </li>
  );
}
