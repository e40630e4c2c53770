//! SQLite in files that JavaScript provides: a VFS (virtual file system) over objects of the caller.
//!
//! A database has one connection, so locks do nothing and no memory is shared. The VFS is written against SQLite's C interface:
//! the generic one of `rsqlite_vfs` would be compiled a second time and take several times the space.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::Reflect;
use sqlite_wasm_rs::{
    SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_ERROR, SQLITE_FULL, SQLITE_IOCAP_POWERSAFE_OVERWRITE,
    SQLITE_IOERR_ACCESS, SQLITE_IOERR_CLOSE, SQLITE_IOERR_DELETE, SQLITE_IOERR_FSTAT,
    SQLITE_IOERR_FSYNC, SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_TRUNCATE,
    SQLITE_IOERR_WRITE, SQLITE_NOTFOUND, SQLITE_OK, SQLITE_PERM, sqlite3_file, sqlite3_int64,
    sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_register, sqlite3_vfs_unregister,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The longest name of a file, in bytes.
const NAME_MAX: c_int = 64;

/// The smallest unit that a disk writes.
const SECTOR: c_int = 4096;

#[wasm_bindgen]
extern "C" {
    /// Files by name.
    pub type SandboxFiles;

    /// Opens a file, and creates it if missing.
    #[wasm_bindgen(method, catch)]
    fn open(this: &SandboxFiles, name: &str) -> Result<SandboxFile, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn exists(this: &SandboxFiles, name: &str) -> Result<bool, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn delete(this: &SandboxFiles, name: &str) -> Result<(), JsValue>;

    /// An open file.
    pub type SandboxFile;

    #[wasm_bindgen(method, catch)]
    fn size(this: &SandboxFile) -> Result<f64, JsValue>;

    /// Returns the number of bytes; fewer than asked for at the end of the file only.
    #[wasm_bindgen(method, catch)]
    fn read(this: &SandboxFile, at: f64, into: &mut [u8]) -> Result<u32, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn write(this: &SandboxFile, at: f64, bytes: &[u8]) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn truncate(this: &SandboxFile, size: f64) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn flush(this: &SandboxFile) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn close(this: &SandboxFile) -> Result<(), JsValue>;
}

/// A VFS, registered until it is dropped. Its database must be closed before.
pub(crate) struct Vfs {
    name: CString,
    vfs: *mut sqlite3_vfs,
    files: *mut SandboxFiles,
}

impl Vfs {
    pub(crate) fn register(files: SandboxFiles) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed).to_string();
        let name = CString::new(number).unwrap_or_default();
        let files = Box::into_raw(Box::new(files));
        let vfs = Box::into_raw(Box::new(sqlite3_vfs {
            iVersion: 1,
            szOsFile: size_of::<OpenFile>() as c_int,
            mxPathname: NAME_MAX,
            pNext: ptr::null_mut(),
            zName: name.as_ptr(),
            pAppData: files.cast(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: None,
            xCurrentTimeInt64: None,
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        }));
        // SAFETY: name and files live as long as the VFS. Fails only if SQLite cannot start, and then no database opens.
        unsafe { sqlite3_vfs_register(vfs, 0) };
        Self { name, vfs, files }
    }

    /// The name under which it is registered.
    pub(crate) fn name(&self) -> &CStr {
        &self.name
    }
}

impl Drop for Vfs {
    fn drop(&mut self) {
        // SAFETY: both were boxed by `register`, and no open file uses them.
        unsafe {
            sqlite3_vfs_unregister(self.vfs);
            drop(Box::from_raw(self.vfs));
            drop(Box::from_raw(self.files));
        }
    }
}

/// An open file in the memory that SQLite reserves for it.
#[repr(C)]
struct OpenFile {
    /// SQLite's part comes first.
    head: sqlite3_file,
    file: SandboxFile,
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    // Without shared memory.
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(lock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

/// SQLite's code for an exception: `otherwise`, unless the exception has the code of a system call that says more.
fn code(error: &JsValue, otherwise: c_int) -> c_int {
    let code = Reflect::get(error, &JsValue::from_str("code"));
    match code.ok().and_then(|code| code.as_string()).as_deref() {
        Some("ENOSPC" | "EDQUOT") => SQLITE_FULL,
        Some("EACCES" | "EPERM" | "EROFS") => SQLITE_PERM,
        Some("EBUSY") => SQLITE_BUSY,
        _ => otherwise,
    }
}

fn done(result: Result<(), JsValue>, otherwise: c_int) -> c_int {
    match result {
        Ok(()) => SQLITE_OK,
        Err(error) => code(&error, otherwise),
    }
}

/// The files of a VFS.
unsafe fn files<'a>(vfs: *mut sqlite3_vfs) -> &'a SandboxFiles {
    // SAFETY: `register` sets the pointer, and the files live as long as the VFS.
    unsafe { &*(*vfs).pAppData.cast() }
}

/// The file that [`open`] has written.
unsafe fn opened<'a>(file: *mut sqlite3_file) -> &'a SandboxFile {
    // SAFETY: SQLite calls the methods of a file between open and close.
    unsafe { &(*file.cast::<OpenFile>()).file }
}

/// A name; `None` for a file without one.
unsafe fn name<'a>(name: *const c_char) -> Option<&'a str> {
    if name.is_null() {
        return None;
    }
    // SAFETY: SQLite ends names with NUL, and keeps them during the call.
    unsafe { CStr::from_ptr(name) }.to_str().ok()
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    path: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    flags_out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives memory for an `OpenFile`. Without methods it does not close the file.
    unsafe {
        (*file).pMethods = ptr::null();
        // Temporary files are in memory, so each file has a name.
        let Some(name) = name(path) else {
            return SQLITE_CANTOPEN;
        };
        let opened = match files(vfs).open(name) {
            Ok(opened) => opened,
            Err(error) => return code(&error, SQLITE_CANTOPEN),
        };
        let head = sqlite3_file {
            pMethods: &raw const METHODS,
        };
        file.cast::<OpenFile>()
            .write(OpenFile { head, file: opened });
        if !flags_out.is_null() {
            *flags_out = flags;
        }
    }
    SQLITE_OK
}

unsafe extern "C" fn delete(vfs: *mut sqlite3_vfs, path: *const c_char, _: c_int) -> c_int {
    // SAFETY: as of `files` and `name`.
    match unsafe { (files(vfs), name(path)) } {
        (files, Some(name)) => done(files.delete(name), SQLITE_IOERR_DELETE),
        (_, None) => SQLITE_IOERR_DELETE,
    }
}

unsafe extern "C" fn access(
    vfs: *mut sqlite3_vfs,
    path: *const c_char,
    _: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: as of `files` and `name`.
    let exists = match unsafe { (files(vfs), name(path)) } {
        (files, Some(name)) => files.exists(name),
        (_, None) => Ok(false),
    };
    match exists {
        Ok(exists) => {
            // SAFETY: SQLite gives a place for the answer.
            unsafe { *out = c_int::from(exists) };
            SQLITE_OK
        }
        Err(error) => code(&error, SQLITE_IOERR_ACCESS),
    }
}

/// Names are complete.
unsafe extern "C" fn full_pathname(
    _: *mut sqlite3_vfs,
    path: *const c_char,
    most: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite ends names with NUL, and gives `most` bytes for the copy.
    unsafe {
        let path = CStr::from_ptr(path).to_bytes_with_nul();
        if path.len() > most as usize {
            return SQLITE_CANTOPEN;
        }
        out.copy_from_nonoverlapping(path.as_ptr().cast(), path.len());
    }
    SQLITE_OK
}

/// Only the default VFS is asked.
unsafe extern "C" fn randomness(_: *mut sqlite3_vfs, _: c_int, _: *mut c_char) -> c_int {
    0
}

/// Nothing is waited for: no other connection holds a lock.
unsafe extern "C" fn sleep(_: *mut sqlite3_vfs, _: c_int) -> c_int {
    0
}

/// The service has no clock.
unsafe extern "C" fn current_time(_: *mut sqlite3_vfs, _: *mut f64) -> c_int {
    SQLITE_ERROR
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite does not use the file again.
    let open = unsafe { file.cast::<OpenFile>().read() };
    done(open.file.close(), SQLITE_IOERR_CLOSE)
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    into: *mut c_void,
    length: c_int,
    at: sqlite3_int64,
) -> c_int {
    let length = length as usize;
    // SAFETY: SQLite gives memory of this length, whose content is not defined.
    let into = unsafe {
        into.cast::<u8>().write_bytes(0, length);
        slice::from_raw_parts_mut(into.cast(), length)
    };
    // SAFETY: as of `opened`.
    match unsafe { opened(file) }.read(at as f64, into) {
        Ok(read) if read as usize >= length => SQLITE_OK,
        Ok(_) => SQLITE_IOERR_SHORT_READ,
        Err(error) => code(&error, SQLITE_IOERR_READ),
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    at: sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives bytes of this length.
    let bytes = unsafe { slice::from_raw_parts(bytes.cast(), length as usize) };
    // SAFETY: as of `opened`.
    let written = unsafe { opened(file) }.write(at as f64, bytes);
    done(written, SQLITE_IOERR_WRITE)
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    // SAFETY: as of `opened`.
    let truncated = unsafe { opened(file) }.truncate(size as f64);
    done(truncated, SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    // SAFETY: as of `opened`.
    done(unsafe { opened(file) }.flush(), SQLITE_IOERR_FSYNC)
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, out: *mut sqlite3_int64) -> c_int {
    // SAFETY: as of `opened`; SQLite gives a place for the answer.
    unsafe {
        match opened(file).size() {
            Ok(size) => {
                *out = size as sqlite3_int64;
                SQLITE_OK
            }
            Err(error) => code(&error, SQLITE_IOERR_FSTAT),
        }
    }
}

unsafe extern "C" fn lock(_: *mut sqlite3_file, _: c_int) -> c_int {
    SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(_: *mut sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *out = 0 };
    SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut sqlite3_file) -> c_int {
    SECTOR
}

/// A write changes no bytes beside it, not even when power is lost: as SQLite presumes of disks.
unsafe extern "C" fn device_characteristics(_: *mut sqlite3_file) -> c_int {
    SQLITE_IOCAP_POWERSAFE_OVERWRITE
}
