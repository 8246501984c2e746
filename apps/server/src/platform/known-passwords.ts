//! Passwords that attackers try first. The list follows a rule and is not copied: a common word,
//! alone or repeated, in any spelling with digits and signs for letters, with up to twelve digits
//! and signs around and within it; or a run of the keyboard, the alphabet or digits. These are far
//! more than the ten thousand most common passwords, and not exactly those: published lists contain
//! passwords that no rule finds.

// biome-ignore format: a list.
const WORDS: readonly string[] = [
  'password', 'passwort', 'passord', 'passwd', 'passcode', 'motdepasse', 'contrasena', 'wachtwoord', 'parola', 'senha',
  'letmein', 'welcome', 'willkommen', 'changeme', 'default', 'secret', 'access', 'master', 'login', 'signin', 'guest',
  'admin', 'administrator', 'root', 'user', 'test', 'testing', 'tester', 'demo', 'sample', 'temp', 'temporary', 'nothing',
  'qwerty', 'qwertz', 'azerty', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdf', 'asdfgh', 'asdfghjkl', 'zxcvbn', 'zxcvbnm',
  'qazwsx', 'qazwsxedc', 'qwer', 'qweasd', 'qweasdzxc', 'poiuytrewq', 'mnbvcxz', 'lkjhgfdsa', 'wasd', 'qwe', 'asd', 'zxc',
  'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh', 'abcdefghij', 'abcdefghijkl', 'alphabet', 'aaa', 'xxx', 'xyz',
  'iloveyou', 'loveyou', 'lovely', 'love', 'lover', 'loveme', 'babygirl', 'baby', 'babe', 'angel', 'sweetheart', 'honey', 'darling',
  'sunshine', 'princess', 'prince', 'queen', 'king', 'butterfly', 'flower', 'rainbow', 'diamond', 'golden', 'silver', 'crystal',
  'monkey', 'dragon', 'tiger', 'lion', 'panther', 'eagle', 'falcon', 'dolphin', 'shark', 'bear', 'wolf', 'horse', 'puppy', 'kitty',
  'doggie', 'chicken', 'turtle', 'buster', 'ginger', 'pepper', 'cookie', 'chocolate', 'banana', 'orange', 'apple', 'cherry', 'peanut',
  'football', 'futbol', 'soccer', 'baseball', 'basketball', 'hockey', 'golf', 'tennis', 'rugby', 'cricket', 'skateboard', 'surfing',
  'liverpool', 'chelsea', 'arsenal', 'barcelona', 'realmadrid', 'juventus', 'milan', 'bayern', 'manchester', 'united', 'yankees',
  'cowboys', 'steelers', 'lakers', 'redsox', 'raiders', 'eagles', 'rangers', 'champion', 'winner', 'player', 'gamer', 'hunter',
  'superman', 'batman', 'spiderman', 'ironman', 'wonderwoman', 'starwars', 'startrek', 'skywalker', 'yoda', 'matrix', 'pokemon',
  'pikachu', 'naruto', 'mario', 'zelda', 'minecraft', 'fortnite', 'warcraft', 'playstation', 'xbox', 'nintendo', 'harrypotter',
  'hogwarts', 'gandalf', 'frodo', 'merlin', 'phoenix', 'shadow', 'ghost', 'killer', 'ninja', 'samurai', 'pirate', 'wizard', 'magic',
  'computer', 'laptop', 'internet', 'server', 'network', 'system', 'windows', 'microsoft', 'google', 'facebook', 'amazon', 'samsung',
  'android', 'iphone', 'linux', 'oracle', 'cisco', 'hacker', 'cyber', 'digital', 'mobile', 'hello', 'helloworld', 'goodbye',
  'michael', 'jennifer', 'jessica', 'michelle', 'ashley', 'amanda', 'nicole', 'daniel', 'matthew', 'andrew', 'joshua', 'anthony',
  'thomas', 'robert', 'william', 'charlie', 'george', 'jordan', 'taylor', 'alexander', 'alexandra', 'christian', 'christopher',
  'elizabeth', 'victoria', 'samantha', 'jonathan', 'benjamin', 'patrick', 'stephanie', 'maria', 'anna', 'julia', 'laura', 'sarah',
  'summer', 'winter', 'spring', 'autumn', 'january', 'february', 'march', 'april', 'june', 'july', 'august', 'september',
  'october', 'november', 'december', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'holiday', 'christmas',
  'mustang', 'corvette', 'ferrari', 'porsche', 'mercedes', 'toyota', 'honda', 'yamaha', 'harley', 'kawasaki', 'jaguar', 'chevrolet',
  'london', 'paris', 'berlin', 'madrid', 'newyork', 'chicago', 'boston', 'dallas', 'texas', 'california', 'florida', 'america', 'england',
  'freedom', 'forever', 'together', 'beautiful', 'family', 'friends', 'mother', 'father', 'sister', 'brother', 'money', 'business',
  'jesus', 'heaven', 'blessed', 'trust', 'trustno', 'mustbe', 'power', 'thunder', 'lightning', 'fire', 'blue', 'green', 'purple', 'yellow',
  'holdfast', 'escrow', 'marketplace', 'payment', 'wallet', 'stellar', 'bitcoin', 'ethereum', 'crypto', 'bank', 'finance', 'support',
];

const KNOWN = new Set(WORDS);

/** What people type for letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
};

/** Digits and signs around a word, as few as possible. */
const DECORATED = /^[^a-z]{0,12}([a-z].*?)[^a-z]{0,12}$/;
const RUNS = '01234567890123456789 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm';
const DISTINCT_MIN = 5;
const DECORATION_MAX = 12;

export function isKnownPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (new Set(text).size < DISTINCT_MIN || isRun(text)) return true;
  const [, core = ''] = DECORATED.exec(text) ?? [];
  return [core, spelled(core), spelled(text)].some(isKnownWord);
}

/** Only digits and signs, or a piece of the alphabet or the keyboard with digits. */
function isRun(text: string): boolean {
  const letters = text.replace(/[^a-z]/g, '');
  if (letters === '') return true;
  const backward = letters.split('').toReversed().join('');
  return letters.length >= 3 && (RUNS.includes(letters) || RUNS.includes(backward));
}

function spelled(text: string): string {
  return Array.from(text, (each) => LETTERS[each] ?? each).join('');
}

/** One word, or the same word several times, with any signs and digits between. */
function isKnownWord(text: string): boolean {
  const letters = text.replace(/[^a-z]/g, '');
  if (text.length - letters.length > DECORATION_MAX) return false;
  for (let times = 1; times <= 4; times += 1) {
    const word = letters.slice(0, letters.length / times);
    if (letters.length % times === 0 && word.repeat(times) === letters && KNOWN.has(word))
      return true;
  }
  return false;
}
