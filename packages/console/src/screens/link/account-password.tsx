import { TextField } from '../../components/field.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';

export function AccountPassword() {
  const words = linkScreenTexts();
  return (
    <TextField
      label={words.password}
      hint={words.passwordHint}
      name="account_password"
      type="password"
      required
      inputMode="numeric"
      pattern="[0-9]{4}"
      autocomplete="off"
    />
  );
}
