//! `cargo xtask test`: the tests of all parts. Each part installs what it needs below `target/`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Makes a part that cannot run an error.
const STRICT: &str = "--strict";
/// Says that the command line, the native module and the tests are built.
const BUILT: &str = "--built";
/// Packages that the Python tests need, besides our own.
const TOOLS: [&str; 8] =
    ["pytest", "mypy", "pandas", "polars", "pyarrow", "duckdb", "scikit-learn", "tqdm"];
/// The package that builds the wheel that users install.
const MATURIN: &str = "maturin>=1.9,<2";
/// Additional packages of the cluster tests. A version of sail supports some versions of `PySpark`.
const ENGINES: [&str; 2] = ["pyspark[connect]>=4.1,<4.2", "pysail>=0.7,<0.8"];
/// Packages of the browser tests: they drive the system's Chromium, so Playwright downloads none.
const DRIVERS: [&str; 3] = ["pytest", "playwright", "axe-playwright-python"];
/// The package of Debian that has the browser, which is also the name of its command.
const CHROMIUM: &str = "chromium";
/// Engines that need Java: Spark Connect, and a standalone cluster on this machine.
const OF_JAVA: [&str; 2] = ["connect", "cluster"];
/// Packages of Debian that have Java, the preferred one first. Releases have different ones.
const JAVA: [&str; 3] =
    ["openjdk-17-jre-headless", "openjdk-21-jre-headless", "default-jre-headless"];
/// The oldest Java that Spark 4 runs on.
const OLDEST_JAVA: u32 = 17;
/// The packages of Debian that have Python and its environments.
const PYTHON: [&str; 2] = ["python3", "python3-venv"];
/// Fails unless the interpreter is new enough and can make environments.
const CHECK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/// A part of the project that has tests of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Rust,
    Python,
    Spark,
    Browser,
    /// The Python tests again, with the wheel that users install: another build of the library.
    Wheel,
}

/// Whether the tests of a part ran.
enum Outcome {
    Passed,
    /// Something is missing on this machine.
    Skipped(String),
}

impl Part {
    const ALL: [Self; 5] = [Self::Rust, Self::Python, Self::Spark, Self::Browser, Self::Wheel];
    /// The parts that run if none is named.
    const USUAL: [Self; 4] = [Self::Rust, Self::Python, Self::Spark, Self::Browser];

    fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Spark => "spark",
            Self::Browser => "browser",
            Self::Wheel => "wheel",
        }
    }

    fn named(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|part| part.name() == name);
        found.with_context(|| {
            format!("there is no part '{name}'; parts are rust, python, spark, browser and wheel")
        })
    }

    fn test(self, shared: &mut Shared) -> Result<Outcome> {
        match self {
            Self::Rust => rust(shared),
            Self::Python => python(shared),
            Self::Spark => spark(shared),
            Self::Browser => browser(shared),
            Self::Wheel => wheel(shared),
        }
    }
}

/// State that parts share, so that nothing is built twice.
struct Shared<'a> {
    root: &'a Path,
    /// Whether the tests in Rust are run too.
    with_rust: bool,
    /// Whether the native module is needed too.
    with_module: bool,
    is_built: bool,
}

impl Shared<'_> {
    /// Builds the command line, the native module and the tests in Rust, as far as they are needed.
    ///
    /// One call of cargo for all of them: features of dependencies are then the same for all, and
    /// the library is compiled once. `maturin` calls cargo for one package, whose dependencies have
    /// fewer features, and would compile the library again.
    fn build(&mut self) -> Result<()> {
        if self.is_built {
            return Ok(());
        }
        let mut build = cargo();
        build.args(["build", "--workspace", "--lib", "--bins"]).current_dir(self.root);
        if self.with_rust {
            build.args(["--tests", "--examples", "--benches"]);
        }
        if !self.with_module {
            build.args(["--exclude", "hedgerow-python"]);
        }
        call(&mut build)?;
        self.is_built = true;
        Ok(())
    }

    /// Puts the package with the built module into an environment.
    fn install(&self, venv: &Venv) -> Result<()> {
        let target = venv.packages()?.join("hedgerow");
        if target.is_dir() {
            std::fs::remove_dir_all(&target).context("cannot remove the old package")?;
        }
        copy_folder(&self.root.join("python/hedgerow"), &target)?;
        let built = self.root.join("target/debug/lib_hedgerow.so");
        let module = target.join("_hedgerow.abi3.so");
        std::fs::copy(&built, module).with_context(|| format!("cannot copy {}", text(&built)))?;
        Ok(())
    }
}

/// Runs the tests of the named parts, or of all. With `--strict`, a part that cannot run is an
/// error; with `--built`, what they need is built already.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let [is_strict, is_built] = [STRICT, BUILT].map(|option| arguments.contains(&option));
    let named = arguments.iter().filter(|argument| ![STRICT, BUILT].contains(argument));
    let mut parts: Vec<Part> = named.map(|name| Part::named(name)).collect::<Result<_>>()?;
    if parts.is_empty() {
        parts = Part::USUAL.to_vec();
    }
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask is in the workspace")?;
    let mut shared = Shared {
        root,
        with_rust: parts.contains(&Part::Rust),
        with_module: parts.contains(&Part::Python) || parts.contains(&Part::Spark),
        is_built,
    };
    // Tests of the studio often wait for the browser, and those of the cluster for engines.
    if [Part::Spark, Part::Browser].iter().all(|part| parts.contains(part)) {
        parts.retain(|part| *part != Part::Browser);
        shared.build()?;
        // Only one process at a time can install packages of Debian. Errors are reported later.
        let _ = (has_python(), has_chromium(), has_java());
        let beside = Beside::start(Part::Browser, root, is_strict)?;
        let tested = test_all(&parts, &mut shared, is_strict);
        // The other process ends anyway, and its output is shown.
        let finished = beside.finish();
        return tested.and(finished);
    }
    test_all(&parts, &mut shared, is_strict)
}

/// Tests parts one after the other.
fn test_all(parts: &[Part], shared: &mut Shared, is_strict: bool) -> Result<()> {
    let mut skipped = Vec::new();
    for part in Part::ALL.into_iter().filter(|part| parts.contains(part)) {
        tell(&format!("== {}", part.name()));
        let start = Instant::now();
        match part.test(shared)? {
            Outcome::Passed => {
                tell(&format!("== {}: passed in {} s", part.name(), start.elapsed().as_secs()));
            }
            Outcome::Skipped(why) => {
                tell(&format!("== {}: skipped: {why}", part.name()));
                skipped.push(part.name());
            }
        }
    }
    if is_strict && !skipped.is_empty() {
        bail!("these parts were not tested: {}", skipped.join(", "));
    }
    Ok(())
}

/// A part that is tested by another process at the same time, and what it prints.
struct Beside {
    process: Child,
    log: PathBuf,
}

impl Beside {
    fn start(part: Part, root: &Path, is_strict: bool) -> Result<Self> {
        let log = root.join("target").join(format!("{}.log", part.name()));
        let file = File::create(&log).with_context(|| format!("cannot create {}", text(&log)))?;
        let mut command = Command::new(std::env::current_exe().context("cannot find itself")?);
        command.args(["test", part.name(), BUILT]).args(is_strict.then_some(STRICT));
        command.stdout(file.try_clone().context("cannot share the log")?).stderr(file);
        Ok(Self { process: command.spawn().context("cannot start a part")?, log })
    }

    /// Waits for the end, and shows what was printed.
    fn finish(mut self) -> Result<()> {
        let status = self.process.wait().context("cannot wait for a part")?;
        let shown = std::fs::read(&self.log).context("cannot read a log")?;
        tell(String::from_utf8_lossy(&shown).trim_end());
        if status.success() { Ok(()) } else { bail!("a part failed, see {}", text(&self.log)) }
    }
}

fn rust(shared: &mut Shared) -> Result<Outcome> {
    shared.build()?;
    let mut test = cargo();
    test.args(["test", "--workspace"]).current_dir(shared.root);
    if !shared.with_module {
        // It has no tests in Rust, and its dependencies take minutes to build.
        test.args(["--exclude", "hedgerow-python"]);
    }
    call(&mut test)?;
    Ok(Outcome::Passed)
}

pub(crate) fn cargo() -> Command {
    Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
}

fn python(shared: &mut Shared) -> Result<Outcome> {
    let Some(venv) = Venv::create(shared.root, "python")? else { return Ok(lacks_python()) };
    let Some(bare) = Venv::create(shared.root, "python-bare")? else { return Ok(lacks_python()) };
    if let Some(skipped) = prepare(&venv, &bare)? {
        return Ok(skipped);
    }
    shared.build()?;
    shared.install(&venv)?;
    shared.install(&bare)?;
    test_package(shared.root, &venv, &bare)?;
    call(
        venv.python(["-m", "mypy", "--strict", "-p", "hedgerow"])
            .current_dir(shared.root.join("python")),
    )?;
    Ok(Outcome::Passed)
}

/// Installs what the Python tests need into two environments; `bare` gets only pytest.
fn prepare(venv: &Venv, bare: &Venv) -> Result<Option<Outcome>> {
    Ok(match venv.install(&TOOLS)? {
        None => bare.install(&["pytest"])?,
        skipped => skipped,
    })
}

/// Runs the Python tests with the package of two environments that are prepared.
fn test_package(root: &Path, venv: &Venv, bare: &Venv) -> Result<()> {
    // Outside the folder of the package, so that the installed one is imported.
    let tests = root.join("python/tests");
    let ignored = format!("--ignore={}", tests.join("spark").display());
    let pytest = ["-m", "pytest", "-q", "--durations=5"];
    call(venv.python(pytest).args([&text(&tests), &ignored]).current_dir(&tests))?;
    let examples = ["--doctest-modules", "--pyargs", "hedgerow"];
    call(venv.python(pytest).args(examples).current_dir(&tests))?;
    let alone = text(&tests.join("test_alone.py"));
    call(bare.python(pytest).arg(alone).current_dir(&tests))
}

/// Builds the wheel as it is published, and tests it in environments that have nothing else.
fn wheel(shared: &mut Shared) -> Result<Outcome> {
    shared.build()?;
    let (full, bare) = ("wheel", "wheel-bare");
    for name in [full, bare] {
        let folder = shared.root.join("target").join(name);
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder).context("cannot remove the old environment")?;
        }
    }
    let Some(venv) = Venv::create(shared.root, full)? else { return Ok(lacks_python()) };
    let Some(bare) = Venv::create(shared.root, bare)? else { return Ok(lacks_python()) };
    if let Some(skipped) = venv.install(&[MATURIN])? {
        return Ok(skipped);
    }
    if let Some(skipped) = prepare(&venv, &bare)? {
        return Ok(skipped);
    }
    let built = text(&venv.build_wheel(shared.root)?);
    for environment in [&venv, &bare] {
        // It needs nothing from a network, so this is a test.
        let install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", &built];
        call(&mut environment.python(install))?;
    }
    test_package(shared.root, &venv, &bare)?;
    Ok(Outcome::Passed)
}

fn spark(shared: &mut Shared) -> Result<Outcome> {
    let tests = shared.root.join("python/tests/spark");
    let Some(venv) = Venv::create(shared.root, "python")? else { return Ok(lacks_python()) };
    if let Some(skipped) = venv.install(&[TOOLS.as_slice(), &ENGINES].concat())? {
        return Ok(skipped);
    }
    shared.build()?;
    shared.install(&venv)?;
    // An interpreter can speak to one kind of engine only, so each has a run of its own.
    let test = |engine: &str| {
        tell(&format!("-- {engine}"));
        let mut pytest = venv.python(["-m", "pytest", "-q", "--durations=5", &text(&tests)]);
        call(pytest.env("HEDGEROW_ENGINE", engine).current_dir(&tests))
    };
    test("sail")?;
    if !has_java() {
        let why = format!(
            "sail was tested, but Spark needs Java {OLDEST_JAVA} or later: install {}",
            JAVA.join(" or ")
        );
        return Ok(Outcome::Skipped(why));
    }
    OF_JAVA.into_iter().try_for_each(test)?;
    Ok(Outcome::Passed)
}

/// The studio in a real browser. Screenshots of every screen are in `target/screenshots`.
fn browser(shared: &mut Shared) -> Result<Outcome> {
    let Some(venv) = Venv::create(shared.root, "browser")? else { return Ok(lacks_python()) };
    if !has_chromium() {
        let why = format!("there is no Chromium; install {CHROMIUM}, or set CHROMIUM to a browser");
        return Ok(Outcome::Skipped(why));
    }
    if let Some(skipped) = venv.install(&DRIVERS)? {
        return Ok(skipped);
    }
    shared.build()?;
    let tests = shared.root.join("crates/hedgerow-studio/browser");
    let arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", &text(&tests)];
    call(venv.python(arguments).current_dir(&tests))?;
    Ok(Outcome::Passed)
}

/// Whether there is a browser, which is installed if that is possible here.
fn has_chromium() -> bool {
    let named = std::env::var("CHROMIUM").unwrap_or_else(|_| CHROMIUM.to_owned());
    let is_there = || runs(&named, &["--version"]);
    is_there() || (installed(&[CHROMIUM]) && is_there())
}

/// Whether there is a suitable Java, which is installed if that is possible here.
fn has_java() -> bool {
    let is_there = || java_version().is_some_and(|version| version >= OLDEST_JAVA);
    is_there() || JAVA.iter().any(|package| installed(&[package]) && is_there())
}

/// The version of the installed Java, which it writes as `openjdk version "17.0.12"`.
fn java_version() -> Option<u32> {
    let output = Command::new("java").arg("-version").output().ok()?;
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    let number = shown.split('"').nth(1)?.split(['.', '-', '+']).next()?;
    number.parse().ok()
}

/// Whether there is a suitable Python, which is installed if that is possible here.
fn has_python() -> bool {
    let is_there = || runs("python3", &["-c", CHECK]);
    is_there() || (installed(&PYTHON) && is_there())
}

/// Installs packages of Debian. Without the rights to do so, this fails and changes nothing.
fn installed(packages: &[&str]) -> bool {
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    let install: Vec<&str> = install.iter().chain(packages).copied().collect();
    // The list of packages of a new machine may be empty or old.
    runs("apt-get", &install) || (runs("apt-get", &["update"]) && runs("apt-get", &install))
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let output = command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
    output.is_ok_and(|output| output.status.success())
}

fn lacks_python() -> Outcome {
    Outcome::Skipped(
        "there is no python3 of version 3.10 or later with venv; install python3 and python3-venv"
            .to_owned(),
    )
}

/// An environment of Python below `target/`.
struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// Creates an environment unless it exists; `None` without a suitable interpreter.
    fn create(root: &Path, name: &str) -> Result<Option<Self>> {
        let folder = root.join("target").join(name);
        if folder.join("bin/python").exists() {
            return Ok(Some(Self { folder }));
        }
        if !has_python() {
            return Ok(None);
        }
        call(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        Ok(Some(Self { folder }))
    }

    fn python<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let mut command = Command::new(self.folder.join("bin/python"));
        command.args(arguments).env("VIRTUAL_ENV", &self.folder);
        command
    }

    /// Installs packages of Python. If pip cannot, for example without a network, the part is
    /// skipped, and pip's own last words say why.
    fn install(&self, packages: &[&str]) -> Result<Option<Outcome>> {
        let mut pip = self.python(["-m", "pip", "install", "--quiet"]);
        let output = pip.args(packages).output().context("cannot run pip")?;
        if output.status.success() {
            return Ok(None);
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let why = words.trim().lines().last().unwrap_or("pip failed").to_owned();
        let folder = text(&self.folder);
        let packages = packages.join(" ");
        Ok(Some(Outcome::Skipped(format!("pip cannot install {packages} into {folder}: {why}"))))
    }

    /// The folder of installed packages.
    fn packages(&self) -> Result<PathBuf> {
        let code = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";
        let output = self.python(["-c", code]).output().context("cannot run Python")?;
        Ok(PathBuf::from(String::from_utf8(output.stdout).context("the path is not UTF-8")?))
    }

    /// Builds the wheel with the release profile, and returns its path.
    fn build_wheel(&self, root: &Path) -> Result<PathBuf> {
        let wheels = root.join("target/wheels");
        if wheels.is_dir() {
            std::fs::remove_dir_all(&wheels).context("cannot remove the old wheels")?;
        }
        let maturin = ["-m", "maturin", "build", "--release", "--out"];
        call(self.python(maturin).arg(&wheels).current_dir(root.join("python")))?;
        let mut built = std::fs::read_dir(&wheels).context("maturin has built no wheel")?;
        Ok(built.next().context("maturin has built no wheel")??.path())
    }
}

/// Copies the files of a folder and of the folders in it.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("cannot create {}", text(to)))?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot read {}", text(from)))? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)
                .with_context(|| format!("cannot copy {}", text(&path)))?;
        }
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Runs a command, whose output is shown.
pub(crate) fn call(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if status.success() { Ok(()) } else { bail!("{command:?} failed") }
}

#[expect(clippy::print_stderr, reason = "a command for developers says what it does")]
fn tell(line: &str) {
    eprintln!("{line}");
}
