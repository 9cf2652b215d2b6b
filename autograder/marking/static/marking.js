// The page on which graders mark written answers: the list of questions, then answer after answer.
// Every key is the `aria-keyshortcuts` of a control, so there is nothing that only keys can do.

const { base, xsrf } = document.body.dataset;

// Collected before any answer is shown, so no id in a student's HTML can pass for one of these.
const page = Object.fromEntries(
  Array.from(document.querySelectorAll("[id]"), (element) => [element.id, element]),
);

const REVIEW = "review"; // in addresses
const TURNS = { first: "", second: "second, independent marking", review: "review" };

let questions = [];
let question = null; // the one being marked
let reviewing = false; // whether it's about answers on which people disagree, or the student does
let answer = null; // the one on the screen; null in the list and when nothing is left
let saved = ""; // what the server has of it: `entered()` as JSON
let comments = []; // earlier comments on this question with their items, the most used first
let trail = []; // answers shown in this tab, oldest first
let busy = false;

// The server

async function ask(method, path, body) {
  const request = { method, headers: { "X-XSRFToken": xsrf }, signal: AbortSignal.timeout(30_000) };
  if (body) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const response = await fetch(`${base}/questions${path}`, request).catch(() => {
    throw new Error("The server doesn't answer.");
  });
  const reply = await response.json().catch(() => {
    // After a session has expired, this is the login page.
    throw new Error("The server's answer can't be read. Are you still logged in?");
  });
  if (response.ok) return reply;
  const message = reply.message || `The server refused (${response.status}).`;
  throw Object.assign(new Error(message), { status: response.status });
}

const pathTo = ({ name }, ...parts) => ["", name, ...parts].map(encodeURIComponent).join("/");
const getAnswer = (of, id) => ask("GET", pathTo(of, "answers", id));
const getNext = (of) => ask("POST", pathTo(of, "next") + (reviewing ? "?review" : ""));

// An address may be from another day, and a reservation may have ended: an answer that isn't this
// grader's any more is skipped.
const orNext = (of, id) => (error) => {
  if (!(error.status < 500)) throw error;
  trail = trail.filter((each) => each !== id);
  return getNext(of);
};

// Do one thing at a time, with the page inert meanwhile so that nothing typed can get lost. The
// action returns what to focus; if it fails, `failed` says what that means, and it can be repeated.
async function attempt(action, failed = () => "") {
  if (busy) return;
  busy = page.main.inert = true;
  page.trouble.hidden = true;
  let focus = null;
  try {
    focus = await action();
  } catch (error) {
    say("");
    page.trouble.hidden = false;
    page.problem.textContent = `${failed()} ${error.message}`.trim();
    page.retry.onclick = () => attempt(action, failed);
    focus = page.retry;
  }
  busy = page.main.inert = false;
  focus?.focus({ preventScroll: true });
}

function say(text) {
  page.status.textContent = text;
}

// Beside the button that was pressed.
function refuse(text) {
  page.refusal.textContent = text;
}

// What is remembered: unsaved drafts and the trail by the tab, folds and keys by the browser

const DRAFT = `marking draft ${base} `;
const draftKey = () => `${DRAFT}${question.name} ${answer.answer} ${answer.version}`;
const trailKey = () => `marking trail ${base} ${question.name} ${reviewing}`;
const recall = (key) => JSON.parse(sessionStorage.getItem(key));
const remember = (key, value) => sessionStorage.setItem(key, JSON.stringify(value));

function keepDraft() {
  const now = entered();
  if (JSON.stringify(now) === saved) sessionStorage.removeItem(draftKey());
  else remember(draftKey(), { ...now, seconds: clock.seconds() });
}

function warnOfDrafts(event) {
  if (Object.keys(sessionStorage).some((key) => key.startsWith(DRAFT))) event.preventDefault();
}

function rememberFolds() {
  for (const fold of document.querySelectorAll("details")) {
    const key = `marking fold ${fold.id}`;
    fold.open = (localStorage.getItem(key) ?? fold.dataset.first) === "open";
    fold.addEventListener("toggle", () => localStorage.setItem(key, fold.open ? "open" : ""));
  }
}

function rememberSingleKeys() {
  const key = "marking single keys";
  const apply = () => document.body.classList.toggle("without-keys", !page.singleKeys.checked);
  page.singleKeys.checked = localStorage.getItem(key) !== "off";
  page.singleKeys.addEventListener("change", () => {
    localStorage.setItem(key, page.singleKeys.checked ? "" : "off");
    apply();
  });
  apply();
}

// Counts the time in which the answer can be seen.
const clock = {
  counted: 0,
  since: null,
  start(seconds) {
    this.counted = seconds;
    this.since = document.visibilityState === "visible" ? performance.now() : null;
  },
  seconds() {
    const running = this.since === null ? 0 : (performance.now() - this.since) / 1000;
    return Math.round(10 * (this.counted + running)) / 10;
  },
};

// Words and numbers

const number = (value) => String(Math.round(100 * value) / 100);
const counted = (count, thing) => `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
const outOf = (points) => `${number(points)} of ${counted(question.points, "point")}`;
const leftIn = (progress) => (reviewing ? progress.review : progress.waiting + progress.again);
const addressOf = (...parts) => `#${parts.map(encodeURIComponent).join("/")}`;

function paceOf(progress) {
  const minutes = Math.ceil((leftIn(progress) * progress.seconds) / 60);
  if (!minutes) return "";
  const pace = `${Math.round(progress.seconds)} s per answer`;
  return `About ${counted(minutes, "minute")} left if you go on at ${pace}.`;
}

// Show HTML that the server has cleaned. Its headings come below one of some level, and its links
// don't lead away from the page.
function insertHtml(box, html, level = 3) {
  box.innerHTML = html;
  for (const heading of box.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    heading.setAttribute("aria-level", Math.min(Number(heading.tagName[1]) + level, 6));
  }
  for (const link of box.querySelectorAll("a")) link.target = "_blank";
}

function rowOf(template, texts) {
  const row = template.content.firstElementChild.cloneNode(true);
  for (const [selector, text] of Object.entries(texts)) {
    row.querySelector(selector).textContent = text;
  }
  return row;
}

function setKey(row, control, index) {
  row.querySelector("kbd").hidden = index >= 9;
  row.querySelector("kbd").textContent = index + 1;
  if (index < 9) control.setAttribute("aria-keyshortcuts", index + 1);
}

// The list of questions

function agreementOn({ twice, alpha, interval, mine }) {
  if (!twice) return "";
  const answers = `${counted(twice, "answer")} marked by two people`;
  if (alpha === null) return `${answers}, and no difference.`;
  const [low, high] = interval.map(number);
  const own = mine.alpha === null ? "" : ` Yours with others: ${number(mine.alpha)}.`;
  return `${answers}. Agreement (Krippendorff's alpha): ${number(alpha)}, between ${low} and ${high}.${own}`;
}

function questionRow({ name, notebook, title, points, progress, agreement }, index) {
  const row = rowOf(page.questionRow, {
    h3: title,
    ".where": `${notebook}, ${counted(points, "point")}`,
    ".pace": paceOf(progress),
    ".agreement": agreementOn(agreement),
    ".count": progress.review,
  });
  for (const end of row.querySelectorAll(".unseen")) end.textContent = ` ${title}`;
  for (const cell of row.querySelectorAll("dd")) {
    cell.textContent = progress[cell.dataset.of];
    cell.parentElement.hidden = "rare" in cell.dataset && progress[cell.dataset.of] === 0;
  }
  const bar = row.querySelector("progress");
  bar.max = progress.marked + progress.waiting + progress.others || 1;
  bar.value = progress.marked;
  bar.setAttribute("aria-label", `${progress.marked} of ${bar.max} answers marked`);
  const [button, review] = row.querySelectorAll("button");
  row.querySelector(".verb").textContent = leftIn(progress) > 0 ? "Mark" : "Look at";
  button.classList.toggle("main", leftIn(progress) > 0);
  button.addEventListener("click", () => (location.hash = addressOf(name)));
  review.hidden = progress.review === 0;
  review.addEventListener("click", () => (location.hash = addressOf(name, REVIEW)));
  setKey(row, button, index);
  return row;
}

function showList() {
  const before = questions.findIndex(({ name }) => name === question?.name);
  question = answer = null;
  reviewing = false;
  page.questions.replaceChildren(...questions.map(questionRow));
  page.noQuestions.hidden = questions.length > 0;
  page.list.hidden = false;
  page.marking.hidden = true;
  document.title = document.querySelector("h1").textContent;
  return page.questions.children[before]?.querySelector("button");
}

// One question

async function openQuestion(chosen, id) {
  const [given, written] = await Promise.all([
    id ? getAnswer(chosen, id).catch(orNext(chosen, id)) : getNext(chosen),
    ask("GET", pathTo(chosen, "comments")),
  ]);
  question = chosen; // not before: if a request fails, what is on the screen stays as it is
  comments = written.comments;
  trail = recall(trailKey()) ?? [];
  page.title.textContent = question.title;
  page.rubric.hidden = question.items.length === 0;
  page.freeHint.hidden = page.rubric.hidden;
  page.items.replaceChildren(...question.items.map(itemRow), page.none.closest("label"));
  insertHtml(page.text, question.text);
  insertHtml(page.solution, question.solution);
  page.examples.replaceChildren(...question.examples.map(exampleRow));
  page.levels.hidden = question.examples.length === 0;
  page.list.hidden = true;
  page.marking.hidden = false;
  return showAnswer(given);
}

function itemRow({ name, points, text }, index) {
  const row = rowOf(page.itemRow, { ".what": text, ".number": number(points) });
  const box = row.querySelector("input");
  box.value = name;
  setKey(row, box, index);
  return row;
}

// The numbers of some items, as their keys are.
const placesOf = (items) =>
  question.items.flatMap(({ name }, place) => (items.includes(name) ? [place + 1] : []));

function exampleRow({ points, items, text, why }) {
  const places = placesOf(items);
  const got = places.length ? `: item${places.length === 1 ? "" : "s"} ${places.join(", ")}` : "";
  const row = rowOf(page.exampleRow, { h4: outOf(points) + got, ".why": why });
  insertHtml(row.querySelector(".written"), text);
  return row;
}

// One answer

const place = () => (answer ? trail.indexOf(answer.answer) : trail.length);

function showAnswer(given, said = "") {
  answer = given.answer === null ? null : given;
  if (answer) arrive(answer);
  remember(trailKey(), trail);
  const address = [question.name, reviewing ? REVIEW : "", answer ? answer.answer : ""];
  history.replaceState(null, "", addressOf(...address.filter(Boolean)));
  const { mine, flagged } = question.progress;
  refuse("");
  const left = `${leftIn(question.progress)} left`;
  page.left.textContent = `${left}, ${mine} marked by you`;
  document.title = `${question.title}: ${left}`;
  page.work.hidden = !answer;
  page.end.hidden = Boolean(answer);
  page.back.disabled = page.backFromEnd.disabled = place() === 0;
  window.scrollTo(0, 0);
  if (answer) return fillAnswer(said);
  say(said);
  page.endText.textContent = `You have marked ${counted(mine, "answer")} to this question. ${
    flagged ? `For ${flagged} of them, a second opinion is wanted: they wait for another grader.` : ""
  }`;
  return page.endTitle;
}

// What isn't marked yet is last, so that saving an earlier one leads back to it.
function arrive({ answer: id, marked }) {
  if (!marked) trail = trail.filter((each) => each !== id);
  if (!trail.includes(id)) trail.push(id);
}

function fillAnswer(said) {
  insertHtml(page.answer, answer.text);
  page.answer.scrollTo(0, 0);
  page.marks.scrollTo(0, 0);
  page.turn.textContent = [TURNS[answer.turn], answer.marked ? "marked" : ""].filter(Boolean).join(", ");
  page.turn.hidden = !page.turn.textContent;
  showEarlier();
  page.flagged.closest("label").hidden = answer.turn !== "first";
  enter(answer.marked ?? { items: [], none: false, points: null, comment: "", flagged: false });
  saved = JSON.stringify(entered());
  const draft = recall(draftKey());
  if (draft) enter(draft);
  clock.start(draft?.seconds ?? 0);
  page.search.value = "";
  showFound();
  showAlike([]);
  askForAlike(answer);
  say(`${said} ${draft ? "What you hadn't saved of this answer is back." : ""}`.trim());
  return page.answer;
}

// Alike answers: they come later than the answer, as the server may have to read the class first.

async function askForAlike(shown) {
  if (shown.turn !== "first") return;
  const { alike } = await ask("GET", pathTo(question, "answers", shown.answer, "alike")).catch(() => ({
    alike: [], // it's no use to say so: everything else works
  }));
  if (answer === shown) showAlike(alike);
}

function showAlike(alike) {
  page.alike.hidden = page.toAlike.hidden = alike.length === 0;
  const count = alike.flatMap(({ versions }) => Object.keys(versions)).length;
  page.alikeTitle.textContent = page.alikeCount.textContent = counted(count, "alike answer");
  page.alikeAnswers.replaceChildren(...alike.map(alikeRow));
  CSS.highlights?.set("differs", new Highlight(...differences()));
  showHowMany();
}

// On the button that saves: for how many answers.
function showHowMany() {
  const count = ticked().length;
  page.howMany.textContent = count ? `Save for ${count + 1} answers` : "Save";
}

function alikeRow({ text, marked, versions }) {
  const count = Object.keys(versions).length;
  const who = count === 1 ? "this answer" : `${count} answers with this text`;
  const before = marked ? ", marked by you before" : "";
  const row = rowOf(page.alikeRow, { ".what": `Same mark for ${who}${before}` });
  const box = row.querySelector("input");
  box.also = Object.entries(versions);
  // By keyboard, too, what differs is to be seen before it's ticked.
  box.addEventListener("focus", () => {
    if (box.matches(":focus-visible")) row.scrollIntoView({ block: "nearest" });
  });
  box.addEventListener("input", showHowMany);
  insertHtml(row.querySelector(".written"), text);
  return row;
}

const ticked = () =>
  Array.from(page.alikeAnswers.querySelectorAll("input:checked"), (box) => box.also).flat();

// Ranges of the words of alike answers that the answer doesn't have in this order, and of those
// before which something is missing: a "not", for instance.
function differences() {
  const own = sentencesIn(page.answer);
  return Array.from(page.alikeAnswers.querySelectorAll(".written"), (box) => {
    const theirs = sentencesIn(box);
    // A sentence that stands elsewhere is no difference.
    const left = (some, others) =>
      some.filter((sentence) => !others.some((other) => said(other) === said(sentence))).flat();
    const words = left(theirs, own);
    const before = left(own, theirs).map(({ word }) => word);
    const different = differentPlaces(before, words.map(({ word }) => word));
    return words.filter((_, place) => different.has(place)).map(({ range }) => range);
  }).flat();
}

const said = (sentence) => sentence.map(({ word }) => word).join(" ");

function sentencesIn(box) {
  const found = [[]];
  for (const each of wordsIn(box)) {
    found.at(-1).push(each);
    if (/[.!?]/.test(each.word)) found.push([]);
  }
  return found.filter(({ length }) => length > 0);
}

const LONGEST_COMPARED = 1_000; // words: more would hold up the page

function wordsIn(box) {
  const found = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && found.length < LONGEST_COMPARED) {
    const node = walker.currentNode;
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      found.push({ word: word.toLowerCase(), range });
    }
  }
  return found;
}

// The places in `other` of the words outside a longest common subsequence with `own`, and of the
// word after a gap that nothing else shows; at the end, the word before it.
function differentPlaces(own, other) {
  const lengths = Array.from({ length: own.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = own.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i][j] =
        own[i] === other[j]
          ? lengths[i + 1][j + 1] + 1
          : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const places = new Set();
  let [i, j, missing] = [0, 0, false];
  while (j < other.length) {
    if (i < own.length && own[i] === other[j]) {
      if (missing && !places.has(j - 1)) places.add(j);
      [i, j, missing] = [i + 1, j + 1, false];
    } else if (i < own.length && lengths[i + 1][j] >= lengths[i][j + 1]) {
      [i, missing] = [i + 1, true];
    } else {
      places.add(j);
      j += 1;
    }
  }
  if ((missing || i < own.length) && j > 0) places.add(j - 1);
  return places;
}

// In a review: what the student asks, and what others decided.
function showEarlier() {
  page.review.hidden = !reviewing;
  page.asked.hidden = !answer.request;
  page.request.textContent = answer.request;
  page.earlier.replaceChildren(...answer.earlier.map(earlierRow));
}

function earlierRow(mark, index) {
  const texts = { h4: index ? "Another mark" : "Counts now", ".points": outOf(mark.total) };
  const row = rowOf(page.earlierRow, { ...texts, ".comment": mark.comment });
  const given = question.items.filter(({ name }) => mark.items.includes(name));
  row.querySelector("ul").replaceChildren(
    ...given.map(({ text }) => Object.assign(document.createElement("li"), { textContent: text })),
  );
  row.querySelector("button").addEventListener("click", () => {
    enter({ ...mark, flagged: false });
    changed();
    page.comment.focus();
  });
  return row;
}

function enter({ items, none = items.length === 0, points, comment, flagged }) {
  for (const box of itemBoxes()) box.checked = items.includes(box.value);
  page.none.checked = none && points === null;
  page.points.value = points ?? "";
  page.comment.value = comment;
  page.flagged.checked = flagged;
  openPoints(points !== null || question.items.length === 0);
  showTotal();
}

const itemBoxes = () => Array.from(page.items.querySelectorAll("input")).filter((box) => box !== page.none);

function entered() {
  return {
    items: itemBoxes()
      .filter(({ checked }) => checked)
      .map(({ value }) => value),
    none: page.none.checked,
    points: typedPoints(),
    comment: page.comment.value,
    flagged: page.flagged.checked,
  };
}

// Points as people type them, with a point or a comma; null if there are none.
function typedPoints() {
  const typed = page.points.value.trim();
  return typed === "" ? null : Number(typed.replace(",", "."));
}

const arePossible = (points) => points === null || (points >= 0 && points <= question.points);

function openPoints(open) {
  page.free.hidden = !open;
  page.other.hidden = open;
}

function showTotal() {
  const { items, none, points } = entered();
  const sum = question.items
    .filter(({ name }) => items.includes(name))
    .reduce((total, item) => total + item.points, 0);
  const decided = none || items.length > 0 || points !== null;
  page.total.textContent = decided ? outOf(points ?? sum) : "No points yet";
  if (!arePossible(points)) page.total.textContent = `0 to ${counted(question.points, "point")}`;
  const overruled = points !== null && question.items.length > 0;
  page.instead.textContent = overruled ? `instead of ${number(sum)} by the items` : "";
}

// Either items, or none of them.
function choose({ target }) {
  if (target === page.none) for (const box of itemBoxes()) box.checked = false;
  else page.none.checked = false;
}

function changed() {
  refuse("");
  keepDraft();
  showTotal();
}

// Earlier comments

function showFound() {
  const words = page.search.value.toLowerCase().split(/\s+/);
  const fits = ({ comment }) => words.every((word) => comment.toLowerCase().includes(word));
  const given = String(entered().items);
  const isFor = ({ items }) => (String(items) === given ? 1 : 0);
  // A few, so that those who tab don't pass all of them; the search finds the others.
  const found = comments.filter(fits).sort((one, other) => isFor(other) - isFor(one));
  const texts = [...new Set(found.map(({ comment }) => comment))].slice(0, 4);
  page.found.replaceChildren(...texts.map(commentRow));
  page.noneFound.hidden = texts.length > 0;
  page.reuse.hidden = comments.length === 0;
}

function commentRow(comment) {
  const row = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.title = button.textContent = comment;
  button.addEventListener("click", () => insertComment(comment));
  row.append(button);
  return row;
}

function insertComment(comment) {
  const before = page.comment.value.trimEnd();
  page.comment.value = before ? `${before}\n${comment}` : comment;
  page.search.value = "";
  showFound();
  changed();
  page.comment.focus();
}

// Saving and moving

// Why what was entered can't be saved yet.
function problem() {
  const { items, none, points } = entered();
  if (!arePossible(points)) return `Not saved: points go from 0 to ${number(question.points)}.`;
  if (reviewing && !page.comment.value.trim()) return "Not saved: say why; the student reads it.";
  if (none || points !== null || items.length > 0) return "";
  if (question.items.length === 0) return "Not saved: give points first.";
  // Enter, pressed once too often, would cost a student everything.
  return "Not saved: tick what it earns, or none of these.";
}

async function save() {
  const now = entered();
  const { none, ...decided } = now;
  const body = { ...decided, seconds: clock.seconds(), also: Object.fromEntries(ticked()) };
  const reply = await ask("PUT", pathTo(question, "answers", answer.answer), body).catch((error) => {
    // Somebody else's by now: what is on the screen can be copied, but never be saved.
    if (error.status === 409) sessionStorage.removeItem(draftKey());
    throw error;
  });
  question.progress = reply.progress;
  answer.marked = reply.marked;
  saved = JSON.stringify(now);
  sessionStorage.removeItem(draftKey());
  clock.start(0);
  if (now.comment) comments.unshift(now);
  // Going back, each can be looked at alone.
  trail = trail.filter((id) => !(id in body.also));
  trail.splice(place(), 0, ...Object.keys(body.also));
  const lost = Object.keys(body.also).length - reply.others;
  const others = reply.others ? ` The same for ${counted(reply.others, "other answer")}.` : "";
  const taken = lost ? ` Somebody else has ${lost} of those you ticked.` : "";
  return `Saved: ${outOf(reply.marked.total)}.${others}${taken}`;
}

function saveAndGoOn() {
  if (problem()) return refuse(problem());
  let said = "";
  const failed = () =>
    said ? `${said} The next answer can't be shown.` : "Not saved. All you entered is still here.";
  return attempt(async () => {
    said ||= await save(); // trying again doesn't save twice
    const later = trail[place() + 1];
    const next = later ? getAnswer(question, later).catch(orNext(question, later)) : getNext(question);
    return showAnswer(await next, said);
  }, failed);
}

function goBack() {
  const unsaved = answer && JSON.stringify(entered()) !== saved;
  const kept = unsaved ? "What you changed there isn't saved yet; it's kept for when you return." : "";
  return attempt(async () => {
    while (place() > 0) {
      const id = trail[place() - 1];
      try {
        return showAnswer(await getAnswer(question, id), kept);
      } catch (error) {
        if (!(error.status < 500)) throw error;
        trail = trail.filter((each) => each !== id); // somebody else's by now
      }
    }
    return showAnswer(answer ?? { answer: null });
  });
}

// The address says what is shown: nothing, a question, or a question and an answer.
async function followAddress() {
  const [name, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  reviewing = rest[0] === REVIEW;
  const id = rest[reviewing ? 1 : 0];
  if (!name || questions.length === 0) ({ questions } = await ask("GET", ""));
  const chosen = questions.find((each) => each.name === name);
  say("");
  return chosen ? openQuestion(chosen, id) : showList();
}

// What can be looked at without leaving the answer

function showNotebook() {
  return attempt(async () => {
    const { cells } = await ask("GET", pathTo(question, "answers", answer.answer, "notebook"));
    page.cells.replaceChildren(...cells.map(cellRow));
    page.notebook.showModal();
    page.cells.querySelector(".here")?.scrollIntoView();
    return page.cells;
  });
}

function cellRow({ kind, html, here }) {
  const row = document.createElement("div");
  row.className = `written ${kind} ${here ? "here" : ""}`;
  insertHtml(row, html, 2);
  return row;
}

function showMine() {
  return attempt(async () => {
    const { marks } = await ask("GET", pathTo(question, "mine"));
    page.marksOfMine.replaceChildren(...marks.map(mineRow));
    page.onlyFlagged.checked = false;
    page.searchMine.value = "";
    findMine();
    page.mine.showModal();
    return page.searchMine;
  });
}

function mineRow({ answer: id, turn, items, total, flagged, comment, text }) {
  const row = rowOf(page.mineRow, { ".text": text, ".comment": comment && `Comment: ${comment}` });
  const places = placesOf(items);
  const got = places.length ? `for ${places.join(", ")}` : "";
  const about = [outOf(total), got, TURNS[turn], flagged ? "flagged" : ""];
  row.querySelector(".points").textContent = about.filter(Boolean).join(" · ");
  row.flagged = flagged;
  row.querySelector("button").addEventListener("click", () => {
    page.mine.close();
    remember(trailKey(), [...trail.filter((each) => each !== id), id]); // what comes next is new
    location.hash = addressOf(...[question.name, turn === REVIEW ? REVIEW : "", id].filter(Boolean));
  });
  return row;
}

function findMine() {
  const words = page.searchMine.value.toLowerCase().split(/\s+/);
  for (const row of page.marksOfMine.children) {
    const text = row.textContent.toLowerCase();
    row.hidden = (page.onlyFlagged.checked && !row.flagged) || !words.every((word) => text.includes(word));
  }
  const { children } = page.marksOfMine;
  page.noneOfMine.hidden = Array.from(children).some(({ hidden }) => !hidden);
}

// Keys

const isField = (element) => element.matches("textarea, input:not([type=checkbox])");

function leaveField() {
  page.answer.scrollIntoView({ block: "nearest" });
  page.answer.focus({ preventScroll: true });
}

function pressInField(event) {
  const enterKey = event.key === "Enter";
  if (event.key === "Escape" || (enterKey && event.target === page.points)) {
    page.search.value = "";
    showFound();
    openPoints(page.points.value !== "" || question.items.length === 0);
    leaveField();
  }
  else if (enterKey && event.target === page.search) page.found.querySelector("button")?.click();
  else if (event.key === "ArrowDown" && event.target === page.search) {
    page.found.querySelector("button")?.focus();
  }
  else return;
  event.preventDefault();
}

function press(event) {
  const { key, target } = event;
  if (event.isComposing || event.repeat || event.altKey || busy || document.querySelector("dialog[open]")) return;
  const withControl = event.ctrlKey || event.metaKey;
  if (isField(target) && !withControl) return pressInField(event);
  if (key === "Escape" && answer) return leaveField();
  if (key === "Enter" && !withControl && target.closest("a, button, summary")) return;
  if (key.length === 1 && !page.singleKeys.checked) return;
  const name = (withControl ? "Control+" : "") + (key.length === 1 ? key.toLowerCase() : key);
  const meant = Array.from(document.querySelectorAll("[aria-keyshortcuts]")).find(
    (each) =>
      each.getAttribute("aria-keyshortcuts").split(" ").includes(name) && each.checkVisibility(),
  );
  if (!meant) return;
  event.preventDefault();
  if (isField(meant)) meant.focus();
  else meant.click();
}

rememberFolds();
rememberSingleKeys();
document.addEventListener("keydown", press);
document.addEventListener("visibilitychange", () => clock.start(clock.seconds()));
window.addEventListener("beforeunload", warnOfDrafts);
window.addEventListener("hashchange", () => attempt(followAddress));
page.items.addEventListener("input", choose);
page.items.addEventListener("input", showFound);
for (const area of [page.items, page.points, page.comment, page.flagged]) {
  area.addEventListener("input", changed);
}
page.search.addEventListener("input", showFound);
page.flagged.addEventListener("input", () =>
  say(page.flagged.checked ? "Flagged for a second opinion." : "Not flagged any more."),
);
page.other.addEventListener("click", () => {
  openPoints(true);
  page.points.focus();
});
page.save.addEventListener("click", saveAndGoOn);
page.back.addEventListener("click", goBack);
page.backFromEnd.addEventListener("click", goBack);
page.toList.addEventListener("click", () => (location.hash = ""));
for (const fold of document.querySelectorAll("summary")) {
  // Who clicks on it goes on with keys for the answer.
  fold.addEventListener("click", ({ detail }) => detail > 0 && leaveField());
}
page.showKeys.addEventListener("click", () => page.keys.showModal());
page.showNotebook.addEventListener("click", showNotebook);
page.showMine.addEventListener("click", showMine);
page.mineFromEnd.addEventListener("click", showMine);
page.searchMine.addEventListener("input", findMine);
page.searchMine.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // it would close the dialog
  page.marksOfMine.querySelector("li:not([hidden]) button")?.click();
});
page.toAlike.addEventListener("click", () => page.alikeAnswers.querySelector("input").focus());
page.onlyFlagged.addEventListener("input", findMine);
history.replaceState(null, "", location.pathname + location.hash); // not the token
attempt(followAddress);
